// expect: reachable
// expect with -DSAFE: unreachable
// After many rounds the outer loop puts a pointer beyond the end.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int k = 0, a[4] = {0}, *p = a;
    for (;;) {
        while (in()) { if (p == a + 4) reach_error(); if (p < a + 2) p++; }
        k++;
        p = a;
        if (k == 14) { p = a + OK(3, 4); k = 0; }
        if (in()) return 0;
    }
}
