// expect: reachable
// expect with -DSAFE: unreachable
// The second time the one is the other, moved by one.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
static void copy(int *p, const int *q, int n) { for (int i = 0; i < n; i++) p[i] = q[i]; }
int main(void) {
    int a[20], b[20], n = in(), i;
    if (n < 1 || n > 19) return 0;
    for (i = 0; i < 20; i++) { a[i] = i; b[i] = i; }
    copy(a, b, n);
    copy(a + OK(0, 1), a, n);
    for (i = 0; i < n; i++) if (a[i] != i) reach_error();
    return 0;
}
