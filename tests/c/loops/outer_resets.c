// expect: reachable
// expect with -DSAFE: unreachable
// The outer loop takes the inner loop's variable out of what the inner one makes of it.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = 0;
    for (;;) {
        while (in()) { if (x == 5) reach_error(); if (x < 3) x++; }
        x = OK(2, 5);
        if (in()) return 0;
    }
}
