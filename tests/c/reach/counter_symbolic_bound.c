// expect: reachable
// expect with -DSAFE: unreachable
// The bound is an input.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    if (n < 0 || n > 4) return 0;
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int() == 1) s++;
#ifndef SAFE
        if (s == 4) reach_error();
#else
        if (s == 5) reach_error();
#endif
    }
    return 0;
}
