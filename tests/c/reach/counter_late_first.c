// expect: reachable
// expect with -DSAFE: unreachable
// State 3 is met in round 3 first, too late, and in round 1 then.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
#ifndef SAFE
    for (int i = 0; i < 4; i++) {
#else
    for (int i = 0; i < 2; i++) {
#endif
        int in = __VERIFIER_nondet_int();
        if (in == 9) return 0;
        if (s == 0) { if (in == 1) s = 1; else s = 3; }
        else if (s == 1) s = 2;
        else if (s == 2) s = 3;
        else if (s == 3) s = 4;
        else reach_error();
    }
    return 0;
}
