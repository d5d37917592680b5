# Everything a developer does. `make demo` and `make test` need nothing but Debian and Rust.

CARGO ?= cargo
# More programs and other seeds than `make test`.
FUZZ_PROGRAMS ?= 2000
FUZZ_SEED ?= 100000
FUZZ_MUTATIONS ?= 1000
FUZZ_PRUNED ?= 3000
FUZZ_HUNTED ?= 10000
FUZZ_BACKWARD ?= 500
FUZZ_LOOPS ?= 2000

.PHONY: all demo test test-tasks bench bench-tasks bench-directed bench-tree bench-coreutils replay-coreutils libc coreutils parsers planted fuzz fmt lint setup

all: test

# The Debian packages that are missing, if any.
setup:
	@scripts/setup.sh

# Finds the way out of a maze: reaching the goal fails an assertion, and exit code 10 means that an error was found.
demo: setup
	$(CARGO) build --release --quiet -p espalier
	$(CARGO) run --release --quiet -p espalier -- run examples/maze.c || test $$? -eq 10

test: setup libc
	@CARGO="$(CARGO)" scripts/test.sh

# The figures of docs/benchmarks.md.
bench: setup
	$(CARGO) bench -p espalier --bench figures
	$(CARGO) bench -p espalier --bench interpolation

# Our own verification tasks with interpolation on, off and by unsat cores, and other tools that are installed: tables, and a page with plots.
bench-tasks: setup
	$(CARGO) build --release --quiet -p espalier
	target/release/espalier bench benches/tasks.toml --results=target/bench-tasks.jsonl --html=target/bench-tasks.html

# A part of them, which must not have a single wrong verdict. With ESPALIER=FILE by a binary that is there.
test-tasks: setup
	$(if $(ESPALIER),,$(CARGO) build --quiet -p espalier)
	$(or $(ESPALIER),target/debug/espalier) bench benches/tasks.toml --fresh --only-tools=espalier --slice=90s --results=target/test-tasks.jsonl

# Directed search: the programs of benches/directed and six tools of Coreutils with a planted assertion. SEEDS=41 as in the paper; results
# are kept as they come, and a second call goes on.
bench-directed: setup libc
	scripts/coreutils.sh --planted
	$(CARGO) build --release --quiet -p espalier
	target/release/espalier bench benches/directed.toml $(if $(SEEDS),--seeds=$(SEEDS)) --results=target/bench-directed.jsonl --html=target/bench-directed.html

# What recording the tree costs, and how fast a run is found again; with tools of Coreutils if they are there.
bench-tree: setup libc
	$(CARGO) bench -p espalier --bench tree

# The C library for whole programs, from Debian's source package: target/libc, or lib/espalier below PREFIX.
libc:
	@scripts/libc.sh $(if $(PREFIX),--prefix $(PREFIX))

# Ten tools of GNU Coreutils for a minute each, under several searchers, with and without interpolation: 40 minutes.
bench-coreutils: setup libc coreutils
	$(CARGO) bench -p espalier --bench coreutils -- $(TOOLS)

# The tests of every tool of Coreutils, natively: 10 minutes. TOOLS="ls stat" chooses; for root only.
replay-coreutils: setup libc coreutils
	$(CARGO) build --quiet -p espalier
	scripts/replay-coreutils.sh $(TOOLS)

# Real programs as bitcode, from the source packages of Debian: GNU Coreutils in target/coreutils, two parsers in target/parsers.
coreutils:
	@scripts/coreutils.sh

parsers: setup
	@scripts/parsers.sh

# Programs with planted faults, and with the guards that make them safe: target/planted.
planted: setup
	$(CARGO) build --quiet -p espalier
	@scripts/planted.sh

# Longer than `make test`: random programs against native execution, damaged bitcode, random programs with and without pruning, verdicts against the truth,
# and unsafe code under Miri or AddressSanitizer.
fuzz: setup
	ESPALIER_CSMITH_COUNT=$(FUZZ_PROGRAMS) ESPALIER_CSMITH_SEED=$(FUZZ_SEED) $(CARGO) test -p espalier --test csmith
	ESPALIER_MUTATIONS=$(FUZZ_MUTATIONS) ESPALIER_MUTATION_SEED=$(FUZZ_SEED) $(CARGO) test -p espalier --test mutate
	ESPALIER_PRUNE_COUNT=$(FUZZ_PRUNED) ESPALIER_PRUNE_SEED=$(FUZZ_SEED) $(CARGO) test -p espalier --test prune
	ESPALIER_HUNTER_COUNT=$(FUZZ_HUNTED) ESPALIER_HUNTER_SEED=$(FUZZ_SEED) $(CARGO) test -p espalier --test hunter
	ESPALIER_BACKWARD_COUNT=$(FUZZ_BACKWARD) ESPALIER_BACKWARD_SEED=$(FUZZ_SEED) $(CARGO) test -p espalier --test backward
	ESPALIER_LOOPS_COUNT=$(FUZZ_LOOPS) ESPALIER_LOOPS_SEED=$(FUZZ_SEED) $(CARGO) test -p espalier --test loops
	CARGO="$(CARGO)" scripts/unsafe.sh

fmt:
	$(CARGO) fmt

lint:
	$(CARGO) clippy --workspace --all-targets -- -D warnings
