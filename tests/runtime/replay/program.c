/* A program under replay: its argument selects what it asks for. */

#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern double __VERIFIER_nondet_double(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_nondet_memory(void *, size_t);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);

#ifdef OWN_REACH_ERROR
void reach_error(void) {
    puts("own reach_error");
    exit(3);
}
#endif

static void at_exit(void) {
    puts("at_exit");
}

static int is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (is(what, "klee")) {
        char text[4];
        klee_make_symbolic(text, sizeof text, "text");
        int i = klee_int("i"), r = klee_range(-5, 10, "r"), one = klee_range(7, 8, "one");
        klee_assume(i > 0);
        printf("%s %d %d %d %d\n", text, i, r, one, (int)klee_choose(3));
        klee_prefer_cex(text, 0);
        printf("%u %u %d\n", klee_is_symbolic((uintptr_t)i), klee_is_replay(), klee_get_value_i32(i));
    } else if (is(what, "unnamed")) {
        int x;
        klee_make_symbolic(&x, sizeof x, NULL);
        printf("%d\n", x);
    } else if (is(what, "nondet")) {
        char memory[3];
        int i = __VERIFIER_nondet_int();
        int c = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_bool();
        double d = __VERIFIER_nondet_double();
        void *p = __VERIFIER_nondet_pointer();
        __VERIFIER_nondet_memory(memory, sizeof memory);
        printf("%d %d %d %g %d %.3s\n", i, c, b, d, p != NULL, memory);
    } else if (is(what, "assume")) {
        printf("before\n");
        atexit(at_exit);
        klee_assume(0);
    } else if (is(what, "verifier_assume")) {
        __VERIFIER_assume(0);
    } else if (is(what, "report")) {
        klee_report_error("file.c", 12, "something is wrong", "user");
    } else if (is(what, "silent")) {
        printf("before\n");
        atexit(at_exit);
        klee_silent_exit(5);
    } else if (is(what, "abort")) {
        klee_abort();
    } else if (is(what, "reach_error")) {
        reach_error();
    } else if (is(what, "verifier_error")) {
        __VERIFIER_error();
    } else if (is(what, "verifier_assert")) {
        __VERIFIER_assert(1);
        __VERIFIER_assert(0);
    } else if (is(what, "fixed")) {
        volatile int *device = (volatile int *)(uintptr_t)0x20000010;
        klee_define_fixed_object((void *)device, sizeof *device);
        *device = 42;
        printf("%d\n", *device);
    } else if (is(what, "overflow")) {
        volatile char *block = malloc(4);
        volatile int i = klee_int("i");
        block[i] = 1;
        printf("survived\n");
        free((void *)block);
    }
    return 0;
}
