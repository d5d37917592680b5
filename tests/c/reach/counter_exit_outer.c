// expect: reachable
// expect with -DSAFE: unreachable
// The inner loop's exit goes on in an outer loop, which fails.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
    for (int i = 0; i < 2; i++) {
#ifndef SAFE
        for (int j = 0; j < 3; j++) {
#else
        for (int j = 0; j < 2; j++) {
#endif
            if (__VERIFIER_nondet_int() == 1) return 0;
            s ^= 1;
        }
        if (s) reach_error();
    }
    return 0;
}
