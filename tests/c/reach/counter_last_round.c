// expect: reachable
// expect with -DSAFE: unreachable
// The error is in the last round, after the only way that wastes none.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0, i = 0;
#ifndef SAFE
    while (i < 5) {
#else
    while (i < 4) {
#endif
        int in = __VERIFIER_nondet_int();
        if (in == 0) s = 0;
        else if (in == 1 && (s & 1) == 0) s++;
        else if (in == 2 && (s & 1) == 1) s++;
        if (s == 5) reach_error();
        i++;
    }
    return 0;
}
