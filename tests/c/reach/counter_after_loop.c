// expect: reachable
// expect with -DSAFE: unreachable
// Used after the loop.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i;
    for (i = 0; i < 5; i++)
        if (__VERIFIER_nondet_int() == 1) break;
#ifndef SAFE
    if (i == 3) reach_error();
#else
    if (i == 6) reach_error();
#endif
    return 0;
}
