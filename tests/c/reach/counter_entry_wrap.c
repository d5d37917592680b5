// expect: reachable
// expect with -DSAFE: unreachable
// The loop is entered in its middle with a count that wraps at the next step.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned i = 0, s = 0;
#ifndef SAFE
    if (__VERIFIER_nondet_int() == 1) i = 2; else i = 0xffffffffu;
#else
    if (__VERIFIER_nondet_int() == 1) i = 2; else i = 1u;
#endif
    goto middle;
    while (i < 4) {
        s++;
    middle:
        if (__VERIFIER_nondet_int() == 1 && s == 3) reach_error();
        i++;
    }
    return 0;
}
