# Part of run.sh: the libc against the host's, with its names prefixed, under sanitizers; and as bitcode.

sources=$(ls "$root"/runtime/libc/*.c)

# Every public name of the libc gets the prefix esp_, so that both libcs fit into one program.
rename_header() { # rename_header <directory> <compiler and flags...>
    plain=$1/plain
    shift
    mkdir -p "$plain"
    (cd "$plain" && "$@" -std=gnu11 -ffreestanding -fno-builtin -c $sources) || return 1
    # Names that a compiler makes for itself, such as __x86.get_pc_thunk.ax, are no C. What aliases stand for keeps its name: it is in a string.
    nm -g --defined-only "$plain"/*.o | awk 'NF == 3 && $3 ~ /^[A-Za-z_][A-Za-z0-9_]*$/ && $3 != "__espalier_environ" { print "#define " $3 " esp_" $3 }'
    echo "#define abort test_abort"
}

# libc_suite <name> <flags for both> <flags for the libc>: compiles libc and tests, runs them, adds up their counts.
libc_suite() {
    dir="$work/$1"
    mkdir -p "$dir/libc" "$dir/tests"
    rename_header "$dir" "$CC" $2 >"$dir/rename.h" &&
        (cd "$dir/libc" && "$CC" $2 $3 $warnings -ffreestanding -fno-builtin -include "$dir/rename.h" -c $sources) &&
        (cd "$dir/tests" && "$CC" $2 -g $warnings -fno-builtin -c "$here"/*.c) &&
        "$CC" $2 $3 "$dir"/libc/*.o "$dir"/tests/*.o -lm -o "$dir/test"
    status=$?
    note $status "libc and its tests compile ($1)"
    [ $status -eq 0 ] || return
    "$dir/test" >"$dir/log"
    status=$?
    grep -v '^counts ' "$dir/log" | sed "s/\$/ ($1)/"
    counts=$(sed -n 's/^counts //p' "$dir/log")
    if [ -z "$counts" ]; then
        note 1 "libc tests end with status $status ($1)"
        return
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
}

links() { # links <flags>: whether the compiler can build a program so
    echo 'int main(void) { return 0; }' | "$CC" $1 -x c - -o "$work/links" 2>/dev/null
}

sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
if ! links "$sanitizers"; then
    skip "sanitizers: $CC cannot link them"
    sanitizers=
fi
libc_suite 64-bit "" "-g -O1 $sanitizers"
if links "-m32 -msse2 -mfpmath=sse"; then
    libc_suite 32-bit "-m32 -msse2 -mfpmath=sse" "-g -O1"
else
    skip "the 32-bit libc natively: $CC cannot link for it"
fi

# ---- Bitcode, as the front end compiles it ----

# All that the libc may need from the engine.
provided="malloc realloc free memcpy memmove memset abort _exit __espalier_output __espalier_vformat __espalier_approximate __espalier_answer klee_report_error __espalier_flush __espalier_compared"

bitcode_suite() { # bitcode_suite <-m64 or -m32>
    dir="$work/bitcode$1"
    mkdir -p "$dir"
    (cd "$dir" && "$CLANG" "$1" $warnings -emit-llvm -c -O0 -Xclang -disable-O0-optnone -g -fno-builtin -ffreestanding \
        -fno-pic -nostdlibinc $sources)
    note $? "bitcode compiles without the host's headers ($1)"

    "$llvm_nm" -g "$dir"/*.bc | awk -v provided="$provided" '
        # The table is what llvm-nm lists for every 32-bit file.
        BEGIN { split(provided " _GLOBAL_OFFSET_TABLE_", names); for (i in names) defined[names[i]] = 1 }
        NF == 3 { defined[$3] = 1 }
        NF == 2 && $1 == "U" { used[$2] = 1 }
        END { for (name in used) if (!(name in defined)) print name }' >"$dir/unknown"
    unknown=$(cat "$dir/unknown")
    [ -z "$unknown" ] || echo "undefined: $unknown"
    [ -z "$unknown" ]
    note $? "bitcode needs nothing else from the engine ($1)"

    # A program's own functions win over the libc's.
    echo 'unsigned long strlen(const char *s) { return *s; } char *strdup(const char *s) { return (char *)s; }
        int main(void) { return (int)strlen(strdup("")); }' |
        "$CLANG" "$1" -w -fno-builtin -emit-llvm -c -x c - -o "$dir/own.bc" &&
        "$llvm_link" "$dir"/*.bc -o "$dir/linked.bc"
    note $? "bitcode links with a program that defines libc functions ($1)"

    "$CLANG" "$1" -emit-llvm -S -O0 -fno-builtin -ffreestanding "$root/runtime/libc/ctype.c" -o "$dir/ctype.ll"
    ! grep -q '^  br i1' "$dir/ctype.ll"
    note $? "character classes do not branch ($1)"
}

if llvm_nm=$("$CLANG" -print-prog-name=llvm-nm 2>/dev/null); then
    llvm_link=$("$CLANG" -print-prog-name=llvm-link)
    bitcode_suite -m64
    bitcode_suite -m32
else
    skip "bitcode: no $CLANG"
fi
