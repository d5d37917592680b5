//! What generated programs do. Each scene is a few lines that end in a number which the rest of the
//! program goes on with.

use super::support::batch::Claim;
use super::writer::Writer;

/// Adds a random scene to the program.
pub fn write(w: &mut Writer) {
    const SCENES: [fn(&mut Writer); 41] = [
        state_machine,
        accumulation,
        list,
        sorted_list,
        tree,
        pointers,
        pointer_to_pointer,
        walk,
        bit_fields,
        signed_bit_fields,
        union_of_bytes,
        union_of_float,
        real_comparison,
        real_arithmetic,
        real_to_integer,
        real_functions,
        calls_through_pointers,
        callbacks,
        jump_back,
        jump_out_of_calls,
        recursion,
        mutual_recursion,
        statics,
        text,
        moved_text,
        formatted_number,
        formatted_text,
        formatted_real,
        real_remainder,
        scanned,
        parsed,
        sorted,
        heap_sizes,
        structures,
        wide_integers,
        errors,
        variadic,
        matrix,
        tokens,
        gotos,
        characters,
    ];
    SCENES[w.below(SCENES.len())](w);
}

fn state_machine(w: &mut Writer) {
    let rounds = 2 + w.below(3);
    let event = w.inputs(3, rounds as u32);
    let (to, other, goal) = (w.below(4), w.below(4), w.below(4));
    w.code(
        "int state~ = 0, seen~ = 0;
         for (int i = 0; i < $0; i++) {
         int event = $1;
         switch (state~) {
         case 0: state~ = event == 1 ? 1 : 0; break;
         case 1: state~ = event == 0 ? $2 : event == 1 ? 2 : 0; break;
         case 2: seen~ += event; state~ = event > 1 ? 3 : $3; break;
         default: state~ = event & 1 ? 0 : 2;
         }
         }",
        &[&rounds.to_string(), &event, &to.to_string(), &other.to_string()],
    );
    w.claim_that(&format!("state~ == {goal} && seen~ == {to}"));
    w.result("state~ * 4 + seen~");
}

fn accumulation(w: &mut Writer) {
    let rounds = 2 + w.below(4);
    let input = w.inputs(3, rounds as u32);
    let step = w.pick(&["sum~ += x", "sum~ = sum~ * 2 + x", "sum~ ^= x << i", "if (x) sum~ += i; else sum~ -= 1"]);
    let stop = w.pick(&["sum~ > 20", "x == 2 && i > 1", "0"]);
    w.code(
        "int sum~ = 0;
         for (int i = 0; i < $0; i++) {
         int x = $1;
         $2;
         if ($3) break;
         }",
        &[&rounds.to_string(), &input, step, stop],
    );
    w.result("sum~");
}

fn list(w: &mut Writer) {
    w.declare("struct @node~ { int value; struct @node~ *next; };", &[]);
    let (rounds, least, drop) = (2 + w.below(2), w.below(3).to_string(), w.below(3).to_string());
    let value = w.inputs(3, rounds as u32);
    w.code(
        "struct @node~ *list~ = 0;
         for (int i = 0; i < $0; i++) {
         int x = $1;
         if (x < $2) continue;
         struct @node~ *node = malloc(sizeof *node);
         node->value = x;
         node->next = list~;
         list~ = node;
         }
         for (struct @node~ **at = &list~; *at;) {
         struct @node~ *node = *at;
         if (node->value == $3) { *at = node->next; free(node); } else at = &node->next;
         }
         int length~ = 0, total~ = 0;
         for (struct @node~ *node = list~; node; node = node->next) { length~++; total~ += node->value * length~; }",
        &[&rounds.to_string(), &value, &least, &drop],
    );
    if w.may_claim() && w.is(40) {
        let claim = w.claim(Claim::Memory);
        w.code("length~ += POINTEE($0, list~).value;", &[&claim.to_string()]);
    }
    w.result("length~ * 3 + total~");
}

fn sorted_list(w: &mut Writer) {
    w.declare(
        "struct @cell~ { int key; struct @cell~ *next; };
         static struct @cell~ *@insert~(struct @cell~ *list, int key) {
         struct @cell~ *cell = calloc(1, sizeof *cell);
         cell->key = key;
         if (!list || key < list->key) { cell->next = list; return cell; }
         struct @cell~ *at = list;
         while (at->next && at->next->key <= key) at = at->next;
         cell->next = at->next;
         at->next = cell;
         return list;
         }",
        &[],
    );
    let rounds = 2 + w.below(3);
    let (value, wanted) = (w.inputs(4, rounds as u32), w.below(rounds).to_string());
    w.code(
        "struct @cell~ *cells~ = 0;
         for (int i = 0; i < $0; i++) cells~ = @insert~(cells~, $1);
         struct @cell~ *cell~ = cells~;
         for (int i = 0; i < $2 && cell~; i++) cell~ = cell~->next;
         int ordered~ = 1;
         for (struct @cell~ *c = cells~; c && c->next; c = c->next) ordered~ &= c->key <= c->next->key;",
        &[&rounds.to_string(), &value, &wanted],
    );
    w.claim_that("!ordered~");
    w.result("cell~ ? cell~->key : -5");
}

fn tree(w: &mut Writer) {
    w.declare(
        "struct @leaf~ { int key; struct @leaf~ *less, *more; };
         static int @depth~(struct @leaf~ *t) {
         if (!t) return 0;
         int l = @depth~(t->less), m = @depth~(t->more);
         return 1 + (l > m ? l : m);
         }",
        &[],
    );
    let rounds = 2 + w.below(2);
    let value = w.inputs(4, rounds as u32);
    w.code(
        "struct @leaf~ *tree~ = 0;
         for (int i = 0; i < $0; i++) {
         int key = $1;
         struct @leaf~ **at = &tree~;
         while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->less : &(*at)->more;
         if (!*at) { *at = calloc(1, sizeof **at); (*at)->key = key; }
         }",
        &[&rounds.to_string(), &value],
    );
    w.result("@depth~(tree~)");
}

fn pointers(w: &mut Writer) {
    let (first, second, value) = (w.condition(), w.condition(), w.expression(1));
    let (index, read) = (w.expression(1), w.pick(&["x~", "y~", "cells~[1]", "cells~[2]"]));
    w.code(
        "int x~ = 1, y~ = 2, cells~[4] = {3, 4, 5, 6};
         int *p~ = $0 ? &x~ : $1 ? &y~ : &cells~[(unsigned)($2) % 4];
         *p~ = $3;
         if (p~ == &y~) x~ += 7;",
        &[&first, &second, &index, &value],
    );
    if w.may_claim() && w.is(40) {
        let (claim, index) = (w.claim(Claim::Memory), w.expression(1));
        w.code("y~ += AT($0, cells~, 4, $1 & 7);", &[&claim.to_string(), &index]);
    }
    w.result(&format!("{read} + *p~ * 2"));
}

fn pointer_to_pointer(w: &mut Writer) {
    let (condition, index, value) = (w.condition(), w.expression(1), w.expression(1));
    w.code(
        "int u~[3] = {0, 1, 2}, *v~[2] = {&u~[0], &u~[2]}, **q~ = $0 ? v~ : v~ + 1;
         *q~ = &u~[(unsigned)($1) % 3];
         **q~ += 5;
         *v~[($2) & 1] -= 1;",
        &[&condition, &index, &value],
    );
    if w.may_claim() && w.is(50) {
        let (claim, condition) = (w.claim(Claim::Memory), w.condition());
        w.code("if ($1) v~[1] = 0;\nu~[1] += POINTEE($0, v~[1]);", &[&claim.to_string(), &condition]);
    }
    w.result("u~[0] + u~[1] * 2 + u~[2] * 3");
}

fn walk(w: &mut Writer) {
    let rounds = 2 + w.below(4);
    let step = w.inputs(3, rounds as u32);
    let claim = if w.may_claim() { Some(w.claim(Claim::Memory)) } else { None };
    let length = 5 + w.below(6);
    let access = match claim {
        Some(claim) => format!("AT({claim}, road~, {length}, at~)"),
        None => format!("road~[(unsigned)at~ % {length}]"),
    };
    w.code(
        "unsigned char road~[$0] = {1, 2, 0, 3};
         int at~ = 1;
         for (int i = 0; i < $1; i++) { at~ += $2; $3 += 1; }",
        &[&length.to_string(), &rounds.to_string(), &step, &access],
    );
    w.result("road~[2] * 2 + road~[4] + at~");
}

fn bit_fields(w: &mut Writer) {
    w.declare("struct @bits~ { unsigned a : 3, b : 5; unsigned char c : 2; unsigned : 3, d : 9; };", &[]);
    let (a, b, d) = (w.expression(2), w.expression(1), w.expression(1));
    w.code(
        "struct @bits~ bits~ = {1, 2, 3, 4};
         bits~.a += $0; bits~.b = $1; bits~.d ^= $2;
         bits~.c++;
         if (bits~.a > 4) bits~.b--;",
        &[&a, &b, &d],
    );
    if w.is(50) {
        w.code("struct @bits~ copy~ = bits~;\ncopy~.a = 0;\nbits~.c += copy~.b == bits~.b;", &[]);
    }
    w.result("bits~.a + bits~.b - bits~.c + (int)bits~.d % 7");
}

fn signed_bit_fields(w: &mut Writer) {
    w.declare("static struct { signed a : 4; int b : 2; unsigned c : 1; short d : 7; } @field~;", &[]);
    let (a, b, d) = (w.expression(1), w.expression(1), w.expression(2));
    w.code(
        "@field~.a = $0; @field~.b = $1; @field~.d = $2;
         @field~.c = @field~.a < @field~.b;
         @field~.a >>= 1; @field~.d -= @field~.c;",
        &[&a, &b, &d],
    );
    w.claim_that("@field~.a == -~ - 3");
    w.result("@field~.a * 2 + @field~.b + @field~.d % 5");
}

fn union_of_bytes(w: &mut Writer) {
    let (value, index, byte) = (w.expression(2), w.expression(1), w.expression(1));
    w.code(
        "union { unsigned number; unsigned char bytes[4]; short halves[2]; } u~;
         u~.number = $0;
         u~.bytes[($1) & 3] ^= $2;
         u~.halves[1] += 3;",
        &[&value, &index, &byte],
    );
    let part = w.pick(&["u~.bytes[0]", "u~.halves[0]", "(int)(u~.number % 9)", "(signed char)u~.bytes[3]"]);
    w.result(part);
}

fn union_of_float(w: &mut Writer) {
    let (value, divisor) = (w.expression(1), 1 + w.below(4));
    w.code(
        "union { float f; unsigned bits; } f~;
         f~.f = (float)($0) / $1;
         unsigned exponent~ = f~.bits >> 23 & 255;
         if (f~.bits >> 31) f~.f = -f~.f;",
        &[&value, &divisor.to_string()],
    );
    w.claim_that("exponent~ == 126 + ~");
    w.result("(int)(f~.bits >> 20 & 15)");
}

/// A real number among special and plain ones.
fn real(w: &mut Writer) -> String {
    let (first, values) = (w.below(14), 6);
    match w.input(values) {
        constant if constant.parse::<i32>().is_ok() => format!("REALS[{first} + {constant}]"),
        input => format!("REALS[{first} + ({input} + 2) % {values}]"),
    }
}

fn real_comparison(w: &mut Writer) {
    let (x, y) = (real(w), real(w));
    w.code(
        "double x~ = $0, y~ = $1;
         int order~ = x~ < y~ ? 1 : x~ > y~ ? 2 : x~ == y~ ? 3 : 4;
         if (x~ != x~) order~ += 5;
         if (!(x~ <= y~)) order~ += 10;",
        &[&x, &y],
    );
    w.result("order~");
}

fn real_arithmetic(w: &mut Writer) {
    let kind = w.pick(&["float", "double"]);
    let (x, y) = (real(w), real(w));
    let operator = w.pick(&["+", "-", "*", "/"]);
    w.code(
        "$0 x~ = $1, y~ = $2, z~ = x~ $3 y~;
         int class~ = isnan(z~) ? 1 : isinf(z~) ? 2 : z~ == 0 ? 3 : fabs(z~) < 1 ? 4 : 5;
         if (!isnan(z~) && signbit(z~)) class~ += 5;
         if (z~ - x~ == y~) class~ += 10;",
        &[kind, &x, &y, operator],
    );
    w.claim_that("class~ == 1 + 3 * ~");
    w.result("class~");
}

fn real_to_integer(w: &mut Writer) {
    let x = real(w);
    let function = w.pick(&["floor", "ceil", "trunc", "round", "rint", "fabs"]);
    w.code(
        "double x~ = $0, y~ = $1(x~);
         int n~ = y~ > -1e9 && y~ < 1e9 ? (int)y~ : 99;
         unsigned char m~ = x~ > -1 && x~ < 200 ? (unsigned char)x~ : 7;
         float narrow~ = (float)x~;
         if (narrow~ != x~) m~ ^= 1;",
        &[&x, function],
    );
    w.result("n~ % 100 + m~");
}

fn real_functions(w: &mut Writer) {
    let (x, y) = (real(w), real(w));
    let value = w.pick(&[
        "copysign(x~, y~)",
        "fmax(x~, 1.0)",
        "fmin(x~, -1.0)",
        "sqrt(fabs(x~))",
        "-x~",
        "fabs(y~)",
        "copysign(NAN, x~)",
        "x~ - trunc(x~)",
    ]);
    let sign = if w.is(60) && value.contains("copysign") { "signbit(z~) != 0" } else { "z~ < 0" };
    w.code("double x~ = $0, y~ = $1, z~ = $2;\nint sign~ = $3;", &[&x, &y, value, sign]);
    w.result("sign~ * 4 + (z~ != z~) * 2 + (z~ > x~)");
}

fn calls_through_pointers(w: &mut Writer) {
    w.declare(
        "static int @twice~(int x) { return 2 * x; }
         static int @next~(int x) { return x + 1; }
         static int @count~(int x) { static int calls; return x + ++calls; }
         static int (*const @ops~[3])(int) = {@twice~, @next~, @count~};",
        &[],
    );
    let rounds = 1 + w.below(3);
    let (index, start) = (w.inputs(3, rounds as u32), w.expression(1));
    w.code(
        "int v~ = $0 & 7;
         for (int i = 0; i < $1; i++) {
         int (*op)(int) = @ops~[(unsigned)($2) % 3];
         v~ = op(v~);
         if (op == @count~) v~ -= 2;
         }",
        &[&start, &rounds.to_string(), &index],
    );
    w.result("v~");
}

fn callbacks(w: &mut Writer) {
    w.declare(
        "struct @object~ { int value; void (*act)(struct @object~ *, int); };
         static void @grow~(struct @object~ *o, int by);
         static void @shrink~(struct @object~ *o, int by) { o->value -= by; if (o->value < 0) o->act = @grow~; }
         static void @grow~(struct @object~ *o, int by) { o->value += 2 * by; if (o->value > 6) o->act = @shrink~; }",
        &[],
    );
    let rounds = 2 + w.below(3);
    let (value, condition) = (w.inputs(3, rounds as u32), w.condition());
    w.code(
        "struct @object~ object~ = {1, $2 ? @grow~ : @shrink~}, *o~ = &object~;
         for (int i = 0; i < $0; i++) o~->act(o~, $1);",
        &[&rounds.to_string(), &value, &condition],
    );
    w.result("object~.value + 20 * (object~.act == @grow~)");
}

fn jump_back(w: &mut Writer) {
    w.declare("static jmp_buf @again~;", &[]);
    let (rounds, value) = (1 + w.below(4), w.expression(1));
    w.code(
        "volatile int turns~ = 0;
         int code~ = setjmp(@again~);
         turns~ += code~ + 1;
         if (turns~ < $0 + (($1) & 3)) longjmp(@again~, turns~ & 1);",
        &[&rounds.to_string(), &value],
    );
    w.result("turns~ * 2 + code~");
}

fn jump_out_of_calls(w: &mut Writer) {
    w.declare(
        "static jmp_buf @out~;
         static int @down~(int n, int bad) {
         int local[2] = {n, bad};
         if (n == bad) longjmp(@out~, n + 3);
         return n <= 0 ? local[1] : local[0] + @down~(n - 1, bad);
         }",
        &[],
    );
    let (depth, bad) = (w.input(5), w.expression(1));
    w.code(
        "volatile int found~ = -1;
         int how~ = setjmp(@out~);
         if (how~ == 0) found~ = @down~($0, ($1) & 7); else found~ = how~ * 10;",
        &[&depth, &bad],
    );
    w.result("found~");
}

fn recursion(w: &mut Writer) {
    let step = w.pick(&["f(n - 1) + f(n - 2)", "n + f(n / 2)", "f(n - 1) * 2 - n", "f(f(n - 1) & 1) + 1"]);
    let step = step.replace("f(", "@fun~(");
    w.declare("static int @fun~(int n) { return n <= 1 ? n : $0; }", &[&step]);
    let value = w.expression(1);
    w.result(&format!("@fun~(({value}) & 7)"));
}

fn mutual_recursion(w: &mut Writer) {
    w.declare(
        "static int @steps~;
         static int @odd~(unsigned n);
         static int @even~(unsigned n) { @steps~++; return n == 0 ? 1 : @odd~(n - 1); }
         static int @odd~(unsigned n) { @steps~ += 2; return n == 0 ? 0 : n % 3 == 0 ? @even~(n / 3) : @even~(n - 1); }",
        &[],
    );
    let value = w.expression(2);
    w.code("int is_even~ = @even~((unsigned)($0) % 12);", &[&value]);
    w.result("is_even~ ? @steps~ : -@steps~");
}

fn statics(w: &mut Writer) {
    let limit = 1 + w.below(4);
    w.declare(
        "static int @remember~(int x) {
         static int last = -1, repeats;
         static int *where = &last;
         if (x == *where) repeats++; else repeats = 0;
         *where = x;
         if (repeats > $0) where = &repeats;
         return repeats;
         }",
        &[&limit.to_string()],
    );
    let rounds = 2 + w.below(4);
    let value = w.inputs(2, rounds as u32);
    w.code("int most~ = 0;\nfor (int i = 0; i < $0; i++) most~ += @remember~($1);", &[&rounds.to_string(), &value]);
    w.result("most~ + @remember~(1)");
}

fn text(w: &mut Writer) {
    let (first, second) = (w.char_input('a', 3), w.char_input('a', 3));
    let word = w.pick(&["ab", "b", "ca", "abc", "bb"]);
    w.code(
        "char s~[8] = \"ab\", t~[16] = \"$2\";
         s~[2] = $0; s~[3] = 'b'; s~[4] = s~[3] == $1 ? 0 : 'c'; s~[5] = 0;
         strcat(t~, s~);",
        &[&first, &second, word],
    );
    let value = w.pick(&[
        "(int)strlen(s~) * 2 + (strchr(t~, 'c') != 0)",
        "strcmp(s~, t~) < 0 ? 1 : strcmp(s~, t~) > 0 ? 2 : 3",
        "strstr(t~, \"bb\") ? (int)(strstr(t~, \"bb\") - t~) : -1",
        "(int)strspn(s~, \"ab\") + 3 * (int)strcspn(t~, \"c\")",
        "strrchr(t~, 'a') ? (int)(strrchr(t~, 'a') - t~) : 9",
        "strncmp(s~, t~, 3) == 0 ? 5 : memcmp(s~, t~, 2) == 0 ? 6 : 7",
        "strpbrk(s~, \"cd\") ? 4 : (int)strnlen(t~, 5)",
    ]);
    w.result(value);
}

fn moved_text(w: &mut Writer) {
    let (c, from, to, length) = (w.char_input('x', 3), w.below(4), w.below(4), w.expression(1));
    w.code(
        "char m~[12] = \"uvwxyz\";
         m~[1] = $0;
         memmove(m~ + $1, m~ + $2, (unsigned)($3) % 5);
         memset(m~ + 6, m~[2], 2);
         char n~[12];
         strncpy(n~, m~, sizeof n~);
         void *y~ = memchr(n~, 'y', 8);",
        &[&c, &to.to_string(), &from.to_string(), &length],
    );
    let value = w.pick(&[
        "m~[3] - 'u'",
        "(int)strlen(m~) + (m~[6] == 'w')",
        "y~ ? (int)((char *)y~ - n~) : -1",
        "strcmp(m~, \"uvwxyz\") == 0 ? 3 : n~[4] == m~[1]",
    ]);
    w.result(value);
}

fn formatted_number(w: &mut Writer) {
    let format = w.pick(&[
        "%d", "%5d", "%-4d|", "%x", "%#x", "%o", "%+d", "%05d", "%.3d", "%u", "%c", "% d", "%hhd", "%hd", "%X", "%08x",
        "%i%%",
    ]);
    let (value, size, place) = (w.expression(2), 2 + w.below(12), w.below(6));
    w.code(
        "char b~[40] = \"???????????????\";
         int n~ = snprintf(b~, $0, \"$1\", $2);",
        &[&size.to_string(), format, &value],
    );
    w.claim_that(&format!("b~[{place}] == '~'"));
    w.result(&format!("n~ + b~[{place}] % 16"));
}

fn formatted_text(w: &mut Writer) {
    let (c, width, value) = (w.char_input('p', 3), w.expression(1), w.expression(1));
    let (format, arguments) = [
        ("%s-%d", "s~, v~"),
        ("%5s%c", "s~, s~[0]"),
        ("%.2s|%-4d", "s~, v~"),
        ("%*d%s", "w~, v~, s~"),
        ("%.*s%x", "w~, s~, v~"),
        ("%c%3d%n", "s~[1], v~, &at~"),
        ("%ld %lu", "(long)v~, (unsigned long)w~"),
        ("%lld%hhx", "(long long)v~ << 33, v~"),
        ("%2$d %1$d", "v~, w~"),
        ("%zu%s", "strlen(s~), s~ + 1"),
    ][w.below(10)];
    let place = w.below(6).to_string();
    w.code(
        "char s~[5] = \"pqr\", b~[64] = \"\";
         s~[2] = $0;
         int w~ = ($1) & 3, v~ = $2, at~ = 0;
         int n~ = sprintf(b~, \"$3\", $4);",
        &[&c, &width, &value, format, arguments],
    );
    w.result(&format!("n~ + b~[{place}] + at~"));
}

/// Declares a real number that is chosen by branches: of a symbolic one, each digit or remainder
/// would be a question to the solver.
fn chosen_real(w: &mut Writer) {
    let (first, second, third) = (w.below(20).to_string(), w.below(20).to_string(), w.below(20).to_string());
    let (if_second, if_third) = (w.condition(), w.condition());
    w.code(
        "double x~ = REALS[$0];
         if ($1) x~ = REALS[$2]; else if ($3) x~ = -REALS[$4];
         if (isnan(x~)) x~ = fabs(x~);",
        &[&first, &if_second, &second, &if_third, &third],
    );
}

fn formatted_real(w: &mut Writer) {
    let format = w.pick(&["%f", "%.2f", "%g", "%e", "%8.3f", "%.0f", "%+.1e", "%G", "%-9.1f|", "%a", "%09.2f"]);
    let place = w.below(8);
    chosen_real(w);
    w.code("char b~[400] = \"\";\nint n~ = snprintf(b~, sizeof b~, \"$0\", x~);", &[format]);
    w.result(&format!("n~ + b~[{place}] % 16"));
}

fn real_remainder(w: &mut Writer) {
    chosen_real(w);
    let value = w.pick(&["fmod(x~, 2.0)", "ldexp(x~, 3)", "fmod(7.5, x~)", "ldexp(1.0, (int)x~ & 7)"]);
    w.code("errno = 0;\ndouble z~ = fabs(x~) < 1e6 ? $0 : 1.0;", &[value]);
    w.result("(errno == EDOM) * 8 + (z~ < 0) * 4 + (z~ != z~) * 2 + (z~ > x~)");
}

fn scanned(w: &mut Writer) {
    let (first, second) = (w.char_input('/', 4), w.char_input('+', 4));
    let format =
        w.pick(&["%d%d", "%d,%d", "%x %d", "%2d%d", "%i%d", "%*d%d", "%1d%n", "%u-%d", "%o%d", "%d.%d", " 1%d%d"]);
    w.code(
        "char line~[8] = \"1?2?3\";
         line~[1] = $0; line~[3] = $1;
         int x~ = -1, y~ = -1;
         int got~ = sscanf(line~, \"$2\", &x~, &y~);",
        &[&first, &second, format],
    );
    w.result("got~ * 100 + x~ * 3 + y~");
}

fn parsed(w: &mut Writer) {
    let (first, second) = (w.char_input('-', 5), w.char_input('7', 4));
    let rest = w.pick(&["", "x", " ", "9", "99999999999999999999", "f"]);
    let base = w.pick(&["10", "0", "16", "8", "2", "36"]);
    let function = w.pick(&["strtol", "strtoul", "strtoll"]);
    w.code(
        "char digits~[32] = \" ??$2\", *end~ = 0;
         digits~[1] = $0; digits~[2] = $1;
         errno = 0;
         long parsed~ = (long)$4(digits~, &end~, $3);
         int failed~ = errno == ERANGE;",
        &[&first, &second, rest, base, function],
    );
    w.claim_that("failed~ && parsed~ == LONG_MIN");
    w.result("(int)(parsed~ % 50) + 5 * (int)(end~ - digits~) + failed~");
}

fn sorted(w: &mut Writer) {
    let sign = w.pick(&["", "-"]);
    w.declare(
        "static int @compare~(const void *x, const void *y) {
         const int *a = x, *b = y;
         return $0(*a < *b ? -1 : *a > *b);
         }",
        &[sign],
    );
    let count = 2 + w.below(2);
    let (value, key, index) = (w.inputs(4, count as u32), w.expression(1), w.below(count).to_string());
    w.code(
        "int items~[$0], key~ = ($2) & 3;
         for (int i = 0; i < $0; i++) items~[i] = $1;
         qsort(items~, $0, sizeof *items~, @compare~);
         int *hit~ = bsearch(&key~, items~, $0, sizeof *items~, @compare~);",
        &[&count.to_string(), &value, &key],
    );
    let wrong = if sign.is_empty() { ">" } else { "<" };
    w.claim_that(&format!("items~[0] {wrong} items~[1]"));
    w.result(&format!("hit~ ? 10 + *hit~ : items~[{index}]"));
}

fn heap_sizes(w: &mut Writer) {
    let (size, grown) = (w.expression(1), w.expression(1));
    w.code(
        "unsigned size~ = 1 + (($0) & 3), grown~ = 1 + (($1) & 7);
         unsigned char *block~ = calloc(size~, 1);
         block~[size~ - 1] = 9;
         block~ = realloc(block~, grown~);
         int last~ = grown~ >= size~ ? block~[size~ - 1] : block~[0];",
        &[&size, &grown],
    );
    if w.may_claim() && w.is(50) {
        let (claim, index) = (w.claim(Claim::Memory), w.expression(1));
        w.code("AT($0, block~, grown~, $1 & 7) = 1;", &[&claim.to_string(), &index]);
    }
    w.result("last~ + (int)size~");
}

fn structures(w: &mut Writer) {
    w.declare(
        "struct @pair~ { short x; char tag; int y; };
         static struct @pair~ @swap~(struct @pair~ p) { struct @pair~ q = {p.y, p.tag + 1, p.x}; return q; }
         static void @bump~(struct @pair~ *p, int by) { p->x += by; p->tag ^= 1; }",
        &[],
    );
    let (x, y, index, condition) = (w.expression(1), w.expression(1), w.expression(1), w.condition());
    w.code(
        "struct @pair~ pairs~[3] = {{1, 'a', 2}, {$0, 'b', $1}};
         pairs~[2] = @swap~(pairs~[($2) & 1]);
         @bump~($3 ? &pairs~[0] : &pairs~[2], 3);
         struct @pair~ chosen~ = *(struct @pair~ *[]){&pairs~[1], &pairs~[2]}[pairs~[0].tag & 1];",
        &[&x, &y, &index, &condition],
    );
    w.result("chosen~.x + chosen~.y * 2 + chosen~.tag - 'a'");
}

fn wide_integers(w: &mut Writer) {
    let (x, shift, y) = (w.expression(2), w.expression(1), w.expression(1));
    w.code(
        "unsigned long long wide~ = (unsigned long long)(long long)($0) << (($1) & 31);
         wide~ = wide~ * 0x9e3779b97f4a7c15ull + ($2);
         long long back~ = (long long)wide~ >> 7;
         int overflows~ = __builtin_add_overflow((int)back~, (int)wide~, &(int){0});",
        &[&x, &shift, &y],
    );
    let value = w.pick(&[
        "(int)(wide~ % 11) + overflows~",
        "__builtin_popcountll(wide~) + overflows~",
        "(int)(back~ % 9)",
        "__builtin_ctz((unsigned)wide~ | 64) * 2 + (back~ < 0)",
        "(int)(unsigned char)__builtin_bswap32(wide~)",
    ]);
    w.result(value);
}

fn errors(w: &mut Writer) {
    let condition = w.condition();
    let call = w.pick(&[
        "malloc((size_t)1 << 62) == 0",
        "calloc((size_t)1 << 33, (size_t)1 << 33) == 0",
        "realloc(malloc(3), (size_t)1 << 62) == 0",
        "isnan(sqrt(-x~))",
        "log(x~ - x~) < 0",
        "isnan(fmod(x~, x~ - x~))",
        "exp(x~ * 1e4) > 1e300",
        "pow(x~ * 1e300, 2) > 1e300",
        "strtol(\"123456789012345678901\", 0, 10) > 0",
    ]);
    w.code(
        "volatile double x~ = 2.0;
         errno = 0;
         int failed~ = 0;
         if ($0) failed~ = $1;
         int error~ = errno;",
        &[&condition, call],
    );
    w.result("failed~ + 2 * (error~ == EDOM) + 3 * (error~ == ERANGE) + 4 * (error~ == ENOMEM)");
}

fn variadic(w: &mut Writer) {
    w.declare(
        "static int @sum~(const char *kinds, ...) {
         va_list list;
         int sum = 0;
         va_start(list, kinds);
         for (; *kinds; kinds++)
         if (*kinds == 'd') sum += va_arg(list, int);
         else if (*kinds == 'l') sum += (int)(va_arg(list, long) >> 4);
         else if (*kinds == 'f') sum += (int)(va_arg(list, double) * 2);
         else sum += *va_arg(list, const char *) - 'a';
         va_end(list);
         return sum;
         }",
        &[],
    );
    let (x, y, condition) = (w.expression(1), w.expression(1), w.condition());
    w.result(&format!(
        "@sum~({condition} ? \"dlfs\" : \"dl\", {x} & 15, (long)({y} & 15) << 4, ({y} & 3) / 2.0, \"c\")"
    ));
}

fn matrix(w: &mut Writer) {
    let (row, column, value, size) = (w.expression(1), w.expression(1), w.expression(1), w.expression(1));
    w.code(
        "int size~ = 2 + (($3) & 1), grid~[size~][3];
         for (int i = 0; i < size~; i++) for (int j = 0; j < 3; j++) grid~[i][j] = i * 3 + j;
         grid~[($0) & 1][(unsigned)($1) % 3] = $2;
         int trace~ = 0;
         for (int i = 0; i < size~; i++) trace~ += grid~[i][i];",
        &[&row, &column, &value, &size],
    );
    w.result("trace~");
}

fn tokens(w: &mut Writer) {
    let (first, second) = (w.char_input('a', 2), w.char_input(',', 3));
    w.code(
        "char list~[12] = \"a?b?c\";
         list~[1] = $1; list~[3] = $0 == 'a' ? ',' : ' ';
         int parts~ = 0, longest~ = 0;
         for (char *t = strtok(list~, \", \"); t; t = strtok(0, \", \")) {
         parts~++;
         if ((int)strlen(t) > longest~) longest~ = strlen(t);
         }",
        &[&first, &second],
    );
    w.result("parts~ * 4 + longest~");
}

fn gotos(w: &mut Writer) {
    let (condition, value) = (w.condition(), w.expression(1));
    w.code(
        "int n~ = ($1) & 7, hops~ = 0;
         if ($0) goto middle~;
         top~: if (n~ <= 0) goto done~;
         n~ -= 2;
         middle~: hops~++;
         if (n~ & 1) { n~--; goto top~; }
         n~--;
         if (hops~ < 6) goto top~;
         done~:;",
        &[&condition, &value],
    );
    w.result("hops~ * 3 + n~");
}

fn characters(w: &mut Writer) {
    let byte = w.byte_input();
    let value = w.pick(&[
        "isdigit(c~) ? c~ - '0' : isalpha(c~) ? 10 + (toupper(c~) == c~) : 20",
        "isspace(c~) ? 1 : ispunct(c~) ? 2 : isprint(c~) ? 3 : 4",
        "isxdigit(c~) != 0 ? tolower(c~) % 16 : iscntrl(c~) != 0",
        "(signed char)c~ < 0 ? -1 : c~ % 10",
    ]);
    w.code("unsigned char c~ = $0;", &[&byte]);
    w.result(value);
}
