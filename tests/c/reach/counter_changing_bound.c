// expect: reachable
// expect with -DSAFE: unreachable
// The bound changes: a smaller one is worse.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int n = 5, s = 0;
    for (int i = 0; i < n; i++) {
        int in = __VERIFIER_nondet_int();
        if (s == 0) { if (in == 1) n = 2; s = 1; }
        else if (in == 1) s++;
#ifndef SAFE
        if (s == 5) reach_error();
#else
        if (s == 6) reach_error();
#endif
    }
    return 0;
}
