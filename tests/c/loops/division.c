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
    unsigned x = 100;
    while (in()) { x = x / 2 + 1; if (x == OK(1, 2)) reach_error(); }
    return 0;
}
