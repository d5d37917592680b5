// expect: reachable
// expect with -DSAFE: unreachable
// Values computed from x before it is known.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int(), next = x + 1, twice = x * 2, square = x * x;
    if (x == 5) {
#ifndef SAFE
        if (next == 6 && twice == 10 && square == 25) reach_error();
#else
        if (next == 6 && twice == 10 && square == 26) reach_error();
#endif
    }
    return 0;
}
