// expect: reachable
// expect with -DSAFE: unreachable
// The last round is only told behind the loop.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = in(), i = 0, last = -1;
    if (n < 0 || n > 1000) return 0;
    while (i < n) { last = i; i++; }
    if (OK(last >= n, last == n - 1 && n == 7)) reach_error();
    return 0;
}
