// expect: reachable
// expect with -DSAFE: unreachable
// The outer loop puts the pointer behind the array.
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
    for (;;) {
        while (in()) { if (p == a + 4) reach_error(); if (p < a + 2) p++; }
        p = OK(a, a + 4);
        if (in()) return 0;
    }
}
