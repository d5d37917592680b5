// expect: reachable
// expect with -DSAFE: unreachable
// Counts down: fewer rounds are left where the counter is smaller.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
#ifndef SAFE
    for (int i = 4; i > 0; i--) {
#else
    for (int i = 2; i > 0; i--) {
#endif
        int in = __VERIFIER_nondet_int();
        if (in == 9) return 0;
        if (s == 0) { if (in == 1) s = 1; else s = 3; }
        else if (s < 4) s++;
        else reach_error();
    }
    return 0;
}
