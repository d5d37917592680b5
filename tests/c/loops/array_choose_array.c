// expect: reachable
// expect with -DSAFE: unreachable
// Which array is written depends on an input.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[20], b[20], n = in(), i;
    if (n < 0 || n > 20) return 0;
    for (i = 0; i < 20; i++) { a[i] = 1; b[i] = 2; }
    int *p = in() ? a : b;
    for (i = 0; i < n; i++) p[i] = OK(p == a ? 1 : 2, 1);
    for (i = 0; i < n; i++) if (b[i] != 2) reach_error();
    return 0;
}
