//! The text form of small functions: what lowering makes of typical code.

mod support;

use support::{load_c, load_ll, text};

#[track_caller]
fn check(source: &str, function: &str, expected: &str) {
    let loaded = load_c(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(text(&loaded, function), expected.trim(), "\n--- got ---\n{}\n", text(&loaded, function));
}

#[track_caller]
fn check_ll(source: &str, function: &str, expected: &str) {
    let loaded = load_ll(source).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(text(&loaded, function), expected.trim(), "\n--- got ---\n{}\n", text(&loaded, function));
}

#[test]
fn locals_become_registers() {
    check(
        "int f(int a, int b) { int c = a + b; c *= 2; return c > 10 ? c : b; } int main(void) { return f(1, 2); }",
        "f",
        "
fn @f(%0: i32 a, %1: i32 b) -> i32
bb0:
  %2 = add i32 %0, %1
  %3 = mul i32 %2, 2
  %4 = sgt i32 %3, 10
  branch %4 ? bb2 : bb1
bb1:
  jump bb3 [%5 = i32 %1]
bb2:
  jump bb3 [%5 = i32 %3]
bb3:
  return %5",
    );
}

#[test]
fn uninitialised_variables_stay_visible() {
    // LLVM's own promotion would make these `return 5`.
    for source in [
        "int main(int c, char **v) { int x; if (c) x = 5; return x; }",
        "int main(int c, char **v) { int x, *p = &x; if (c) *p = 5; return *p; }",
    ] {
        check(
            source,
            "main",
            "
fn @main(%0: i32 c, %1: i64 pointee(0) v) -> i32
bb0:
  %2 = unknown i32
  %3 = ne i32 %0, 0
  branch %3 ? bb1 : bb2 [%4 = i32 %2]
bb1:
  jump bb2 [%4 = i32 5]
bb2:
  return %4",
        );
    }
}

#[test]
fn accesses_out_of_bounds_stay() {
    // SROA would delete this store.
    check(
        "int main(void) { int a[2] = {1, 2}; a[5] = 3; return a[0]; }",
        "main",
        "
fn @main() -> i32
bb0:
  %0 = alloca 8 * 1 align 4 \"a\"
  memcpy [%0] from [@__const.main.a], i64 8
  %1 = ptradd %0 + 20
  store i32 3 to [%1]
  %2 = load number i32 [%0]
  return %2",
    );
}

#[test]
fn swapped_variables_need_a_temporary() {
    check_ll(
        "
define i32 @main(i32 %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %a
}",
        "main",
        "
fn @main(%0: i32 n) -> i32
bb0:
  jump bb1 [%1 = i32 1, %2 = i32 2, %3 = i32 0]
bb1:
  %4 = add i32 %3, 1
  %5 = slt i32 %4, %0
  branch %5 ? bb1 [%3 = i32 %4, %6 = i32 %1, %1 = i32 %2, %2 = i32 %6] : bb2
bb2:
  return %1",
    );
}

#[test]
fn aggregates_and_vectors_are_renamed() {
    check_ll(
        "
define { i32, <2 x i8> } @f({ i32, <2 x i8> } %x, i1 %c) {
  %v = extractvalue { i32, <2 x i8> } %x, 1
  %w = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> <i32 1, i32 0>
  %y = insertvalue { i32, <2 x i8> } %x, <2 x i8> %w, 1
  %z = select i1 %c, { i32, <2 x i8> } %y, { i32, <2 x i8> } zeroinitializer
  %fz = freeze { i32, <2 x i8> } %z
  ret { i32, <2 x i8> } %fz
}
define i32 @main() {
  %r = call { i32, <2 x i8> } @f({ i32, <2 x i8> } { i32 7, <2 x i8> <i8 1, i8 2> }, i1 true)
  %a = extractvalue { i32, <2 x i8> } %r, 0
  ret i32 %a
}",
        "f",
        "
fn @f(%0: i32 x.0, %1: i8 x.1, %2: i8 x.2, %3: i1 c) -> i32, i8, i8
bb0:
  %4 = select i32 %3 ? %0 : 0
  %5 = select i8 %3 ? %2 : 0
  %6 = select i8 %3 ? %1 : 0
  %7 = freeze i32 %4
  %8 = freeze i8 %5
  %9 = freeze i8 %6
  return %7, %8, %9",
    );
}

#[test]
fn pointers_of_vectors_and_big_offsets() {
    check_ll(
        "
target datalayout = \"e-m:e-i64:64-n8:16:32:64-S128\"
define i64 @main(ptr %p, <2 x i32> %i, i16 %k) {
  %q = getelementptr { i64, [4 x i16] }, ptr %p, <2 x i32> %i, i32 1, i32 3
  %q1 = extractelement <2 x ptr> %q, i32 1
  %r = getelementptr i8, ptr %q1, i64 5000000000
  %s = getelementptr [3000000000 x i16], ptr %r, i16 %k, i64 -1
  %t = ptrtoint ptr %s to i64
  ret i64 %t
}",
        "main",
        "
fn @main(%0: i64 p, %1: i32 i.0, %2: i32 i.1, %3: i16 k) -> i64
bb0:
  %4 = sext i32 %1 to i64
  %5 = ptradd %0 + %4 * 16 + 14
  %6 = sext i32 %2 to i64
  %7 = ptradd %0 + %6 * 16 + 14
  %8 = ptradd %7 + 5000000000 * 1
  %9 = sext i16 %3 to i64
  %10 = mul i64 %9, 6000000000
  %11 = ptradd %8 + %10 * 1 - 2
  address %11 & 0x0
  return %11",
    );
}

#[test]
fn packed_vectors_and_odd_widths() {
    check_ll(
        "
define i20 @main(ptr %p, i20 %x, i20 %n) {
  %v = load <4 x i1>, ptr %p
  %w = xor <4 x i1> %v, <i1 true, i1 false, i1 true, i1 false>
  store <4 x i1> %w, ptr %p
  %y = call i20 @llvm.fshl.i20(i20 %x, i20 3, i20 %n)
  ret i20 %y
}
declare i20 @llvm.fshl.i20(i20, i20, i20)",
        "main",
        "
fn @main(%0: i64 p, %1: i20 x, %2: i20 n) -> i20
bb0:
  %3 = load number i4 [%0]
  %4 = trunc i4 %3 to i1
  %5 = lshr i4 %3, 1
  %6 = trunc i4 %5 to i1
  %7 = lshr i4 %3, 2
  %8 = trunc i4 %7 to i1
  %9 = lshr i4 %3, 3
  %10 = trunc i4 %9 to i1
  %11 = xor i1 %4, 1
  %12 = xor i1 %6, 0
  %13 = xor i1 %8, 1
  %14 = xor i1 %10, 0
  %15 = zext i1 %11 to i4
  %16 = zext i1 %12 to i4
  %17 = shl i4 %16, 1
  %18 = or i4 %15, %17
  %19 = zext i1 %13 to i4
  %20 = shl i4 %19, 2
  %21 = or i4 %18, %20
  %22 = zext i1 %14 to i4
  %23 = shl i4 %22, 3
  %24 = or i4 %21, %23
  store i4 %24 to [%0]
  %25 = urem i20 %2, 20
  %26 = sub i20 19, %25
  %27 = shl i20 %1, %25
  %28 = lshr i20 3, 1
  %29 = lshr i20 %28, %26
  %30 = or i20 %27, %29
  return %30",
    );
}

#[test]
fn what_cannot_be_lowered_ends_its_block() {
    let source = "
        int f(int a) { __asm__(\"cpuid\" : \"+a\"(a) : : \"ebx\", \"ecx\", \"edx\"); return a; }
        int main(void) { return f(0); }";
    check(
        source,
        "f",
        "
fn @f(%0: i32 a) -> i32
bb0:
  unsupported \"inline assembly `cpuid`\"",
    );
    let source = "
define i32 @main() personality ptr null {
  %x = call i32 @llvm.umul.fix.i32(i32 1, i32 2, i32 3)
  %y = add i32 %x, 1
  br label %next
next:
  ret i32 %y
}
declare i32 @llvm.umul.fix.i32(i32, i32, i32)";
    check_ll(
        source,
        "main",
        "
fn @main() -> i32
bb0:
  unsupported \"the LLVM intrinsic `llvm.umul.fix`\"
bb1:
  return undef",
    );
}

#[test]
fn calls_that_do_not_fit_go_through_a_pointer() {
    let source = "
        int f();
        int g(int a, int b) { return a + b; }
        int main(void) { int (*h)() = (int (*)())g; return f(1) + f(1, 2) + f(1L, 2) + h(1); }
        int f(a, b) int a, b; { return a - b; }";
    check(
        source,
        "main",
        "
fn @main() -> i32
bb0:
  %0 = call i32 [@f](i32 1)
  %1 = call i32 @f(i32 1, i32 2)
  %2 = add i32 %0, %1
  %3 = call i32 [@f](i64 1, i32 2)
  %4 = add i32 %2, %3
  %5 = call i32 [@g](i32 1)
  %6 = add i32 %4, %5
  return %6",
    );
}

#[test]
fn calls_that_may_throw_go_on_normally() {
    let source = "
define i32 @main() personality ptr @p {
  %x = invoke i32 @f(i32 1) to label %ok unwind label %bad
ok:
  ret i32 %x
bad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
declare i32 @f(i32)
declare i32 @p(...)";
    check_ll(
        source,
        "main",
        "
fn @main() -> i32
bb0:
  %0 = call i32 @f(i32 1)
  jump bb2
bb1:
  unsupported \"C++ exception handling\"
bb2:
  return %0",
    );
}

#[test]
fn setjmp_keeps_variables_in_memory() {
    let source = "
        #include <setjmp.h>
        static jmp_buf env;
        int main(void) { int x = 1; if (setjmp(env)) return x; x = 2; longjmp(env, 1); }";
    let loaded = load_c(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let text = text(&loaded, "main");
    assert!(text.contains("store i32 2 to"), "{text}");
}

#[test]
fn unoptimised_bitcode_is_promoted_too() {
    // Plain `clang -O0` forbids optimisation of each function.
    let folder = support::folder();
    let file = support::bitcode("int main(int c, char **v) { int x = c; x++; return x; }", folder.path(), "plain");
    let loaded = espalier_frontend::load(&support::input(&file, &[])).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        text(&loaded, "main"),
        "fn @main(%0: i32 c, %1: i64 pointee(0) v) -> i32\nbb0:\n  %2 = add i32 %0, 1\n  return %2"
    );
}

#[test]
fn debug_information_is_kept() {
    let source = "\
struct s { int a; } global = { 3 };
int arr[4];

static int helper(struct s *p, int *q) {
  return p->a
    + *q;
}
int main(int argc, char **argv) {
  struct s local;
  int scalar;
  local.a = argc;
  return helper(&local, &scalar) + arr[argc] + global.a;
}
";
    let loaded = load_c(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let program = &loaded.program;
    let main = program.function(loaded.entry);
    assert_eq!(main.loc.line, 8);
    assert_eq!(main.params.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["argc", "argv"]);
    let allocas: Vec<_> = main.allocas.iter().map(|site| (site.name.as_str(), site.loc.line, site.is_scalar)).collect();
    assert_eq!(allocas, [("local", 9, false), ("scalar", 10, true)]);
    let global = program.global(program.global_names["arr"]);
    assert_eq!((global.loc.line, global.size, global.is_scalar), (2, 16, false));
    let helper = program.function(program.function_names["helper"]);
    assert!(helper.locs.iter().any(|loc| loc.line == 6 && loc.column != 0), "{:?}", helper.locs);
    assert!(program.file_name(main.loc.file).ends_with("test.c"));
}

#[test]
fn the_32_bit_layout() {
    let source = "
        #include <stdint.h>
        #include <stdio.h>
        struct s { char c; long l; double d; long double x; void *p; } s = { 1, 2, 3.0, 4.0L, &s };
        int main(void) { return sizeof(long) + sizeof s; }";
    let loaded = load_c(source, &["-m32"]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.program.target.pointer_width, 32);
    assert!(text(&loaded, "main").contains("return 36"), "{}", text(&loaded, "main"));
}

#[test]
fn program_definitions_win_over_the_runtime() {
    let source = "
        #include <string.h>
        size_t strlen(const char *s) { return 42; }
        int main(int c, char **v) { return strlen(v[0]) + strcmp(v[0], v[1]); }";
    let loaded = load_c(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let function = |name: &str| loaded.program.function(loaded.program.function_names[name]);
    assert!(!function("strlen").is_runtime && !function("strlen").is_declaration());
    assert!(function("strcmp").is_runtime && !function("strcmp").is_declaration());
    assert!(loaded.program.function_named("strcpy").is_none(), "what is not needed is not lowered");
}

#[test]
fn constructors_run_by_priority() {
    let source = "
        __attribute__((constructor)) static void last(void) {}
        __attribute__((constructor(200))) static void second(void) {}
        __attribute__((constructor(101))) static void first(void) {}
        __attribute__((destructor)) static void early(void) {}
        __attribute__((destructor(101))) static void late(void) {}
        int main(void) { return 0; }";
    let loaded = load_c(source, &[]).unwrap_or_else(|error| panic!("{error}"));
    let names = |ids: &[espalier_ir::FuncId]| {
        ids.iter().map(|id| loaded.program.function(*id).name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&loaded.program.constructors), ["first", "second", "last"]);
    assert_eq!(names(&loaded.program.destructors), ["early", "late"]);
}
