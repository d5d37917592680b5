// expect: reachable
// expect with -DSAFE: unreachable
// A flag set in the inner loop is looked at in the next round of the outer one.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int seen = 0, n = in() & 7;
    while (in()) {
        if (seen) reach_error();
        for (int j = 0; j < n; j++) if (j == OK(7, 6)) seen = 1;
    }
    return 0;
}
