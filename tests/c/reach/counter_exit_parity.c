// expect: reachable
// expect with -DSAFE: unreachable
// The state after the loop is right after an odd number of rounds only.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
#ifndef SAFE
    for (int i = 0; i < 5; i++) {
#else
    for (int i = 0; i < 4; i++) {
#endif
        if (__VERIFIER_nondet_int() == 1) return 0;
        s ^= 1;
    }
    if (s) reach_error();
    return 0;
}
