// expect: reachable
// expect with -DSAFE: unreachable
// The second loop undoes the first one.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = in(), i = 0, k = 0;
    while (i < n) { i++; k++; }
    while (i > OK(0, -1)) { if (k <= 0) reach_error(); i--; k--; }
    return 0;
}
