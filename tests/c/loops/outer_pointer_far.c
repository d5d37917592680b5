// expect: reachable
// expect with -DSAFE: unreachable
// The outer loop puts the pointer beyond the end of its array.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[4] = {0}, *p = a;
    volatile int far = OK(2, 9);
    for (;;) {
        while (in()) { if (p == a + 9) reach_error(); if (p < a + 2) p++; }
        p = a + far;
        if (in()) return 0;
    }
}
