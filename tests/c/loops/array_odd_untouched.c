// expect: reachable
// expect with -DSAFE: unreachable
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[100] = {0}, n = in(), i;
    if (n < 0 || n > 100) return 0;
    for (i = 0; i < n; i += 2) a[i] = 1;
    for (i = 1; i < n; i += 2) if (a[OK(i, i == 51 ? 50 : i)]) reach_error();
    return 0;
}
