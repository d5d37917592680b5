// expect: reachable
// expect with -DSAFE: unreachable
// Members of different sizes.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
struct P { char c; int x; short s; } p[30];
int main(void) {
    int n = in(), i;
    if (n < 0 || n > 30) return 0;
    for (i = 0; i < n; i++) { p[i].c = 1; p[i].x = 2; p[i].s = 3; }
    for (i = 0; i < n; i++) if (p[i].c + p[i].x + p[i].s != OK(6, i == 29 ? 7 : 6)) reach_error();
    return 0;
}
