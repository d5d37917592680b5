// expect: reachable
// expect with -DSAFE: unreachable
// Rounds may be wasted, and are wasted first: each state is met in all rounds, the last first.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
#ifndef SAFE
    for (int i = 0; i < 4; i++) {
#else
    for (int i = 0; i < 3; i++) {
#endif
        if (__VERIFIER_nondet_int() == 0) continue;
        if (s == 3) reach_error();
        s++;
    }
    return 0;
}
