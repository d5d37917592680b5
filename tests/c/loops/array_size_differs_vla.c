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
static int check(int n, int m) {
    int a[n], i, bad = 0;
    for (i = 0; i < n; i++) a[i] = 0;
    for (i = m; i < n; i++) a[i] = 1;
    for (i = 0; i < n; i++) if (a[i]) bad = 1;
    return bad;
}
int main(void) {
    int n = 1;
    while (in()) {
        if (check(n, n == 4 ? OK(4, 3) : n)) reach_error();
        n = n < 5 ? n + 1 : 1;
    }
    return 0;
}
