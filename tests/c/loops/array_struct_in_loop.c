// expect: reachable
// expect with -DSAFE: unreachable
// A structure with an array inside is assigned in each round.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
struct S { int a[12]; } s, t;
int main(void) {
    int n = in(), i, k = 0;
    if (n < 0 || n > 12) return 0;
    for (i = 0; i < n; i++) s.a[i] = 3;
    for (i = 0; i < n; i++) t.a[i] = OK(3, 4);
    while (in()) {
        if (k == 3) s = t;
        for (i = 0; i < n; i++) if (s.a[i] != 3) reach_error();
        k++;
        if (k == 4) k = 0;
    }
    return 0;
}
