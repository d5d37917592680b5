// expect: reachable
// expect with -DSAFE: unreachable
// The other side of a comparison fixes x as well.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x - 5;
    if (x != 5) {
#ifndef SAFE
        if (y == 1) reach_error();
#else
        if (y == 0) reach_error();
#endif
        return 0;
    }
    if (y != 0) reach_error();
    return 0;
}
