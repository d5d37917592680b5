// expect: reachable
// expect with -DSAFE: unreachable
// Two ways to the inner loop, one of which reads one input more.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = in(), i, kept = 0, same = 1;
    if (n < 0) return 0;
    if (in()) kept = in();
    else same = 0;
    int last = kept;
    for (i = 0; i < n; i++) {
        if (!same) { int v = in(); if (i == 0) kept = v; last = v; }
    }
    if (OK(same, !same) && last != kept) reach_error();
    return 0;
}
