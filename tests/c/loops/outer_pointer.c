// expect: reachable
// expect with -DSAFE: unreachable
// The outer loop puts a pointer where the inner one never gets.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[8] = {0}, *p = a;
    for (;;) {
        while (in()) { if (p == a + 6) reach_error(); if (p < a + 3) p++; }
        p = a + OK(2, 6);
        if (in()) return 0;
    }
}
