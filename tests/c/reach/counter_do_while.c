// expect: reachable
// expect with -DSAFE: unreachable
// The exit is at the end of the round.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, s = 0;
    do {
        if (__VERIFIER_nondet_int() == 1) s++;
#ifndef SAFE
        if (s == 4) reach_error();
#else
        if (s == 5) reach_error();
#endif
    } while (++i < 4);
    return 0;
}
