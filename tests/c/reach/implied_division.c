// expect: reachable
// expect with -DSAFE: unreachable
// A quotient is known, which leaves several values of x.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    if (x / 3 == 4) {
#ifndef SAFE
        if (x == 14) reach_error();
#else
        if (x == 15) reach_error();
#endif
    }
    return 0;
}
