// expect: reachable
// expect with -DSAFE: unreachable
// The loop is entered in its middle too, with another count.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, s = 0;
    if (__VERIFIER_nondet_int() == 1) { i = 2; goto middle; }
    while (i < 4) {
        if (__VERIFIER_nondet_int() == 1) s++;
    middle:
#ifndef SAFE
        if (s == 4) reach_error();
#else
        if (s == 5) reach_error();
#endif
        i++;
    }
    return 0;
}
