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
    double x = 0;
    while (in()) { x += 0.5; if (x > 8) x = 0; if (x == OK(0.75, 7.5)) reach_error(); }
    return 0;
}
