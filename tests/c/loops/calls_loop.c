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
static int count(int n) { int c = 0; while (c < n) c++; return c; }
int main(void) {
    int n = in(), t = 0;
    if (n < 0 || n > 6) return 0;
    while (in()) { t = count(n); if (t != n || t == OK(7, 6)) reach_error(); }
    return 0;
}
