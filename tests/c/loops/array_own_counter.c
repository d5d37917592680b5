// expect: reachable
// expect with -DSAFE: unreachable
// The counter is in the object that is written at it.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
struct S { int a[20]; int n; } s;
int main(void) {
    int m = in(), i;
    if (m < 0 || m > 20) return 0;
    while (s.n < m) { s.a[s.n] = 3; s.n++; }
    for (i = 0; i < s.n; i++) if (s.a[i] != OK(3, i == 19 ? 4 : 3)) reach_error();
    return 0;
}
