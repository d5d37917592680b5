// expect: reachable
// expect with -DSAFE: unreachable
// One of two values is known, but not which.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int either = (x == 5) | (y == 3);
    if (either) {
#ifndef SAFE
        if (x == 6 && y == 3) reach_error();
#else
        if (x == 6 && y == 4) reach_error();
#endif
    }
    return 0;
}
