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
int main(void) {
    volatile int v = 0;
    int w = 0;
    while (in()) { v = w; w = w < 9 ? w + 1 : 0; if (v > OK(9, 8)) reach_error(); }
    return 0;
}
