// expect: reachable
// expect with -DSAFE: unreachable
// Each depends on the one before.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[60], n = in(), i;
    if (n < 1 || n > 60) return 0;
    a[0] = OK(0, 4);
    for (i = 1; i < n; i++) a[i] = a[i - 1] + 1;
    for (i = 0; i < n; i++) if (a[i] != i + OK(0, a[0] & (i < 50 ? 4 : 0))) reach_error();
    return 0;
}
