// expect: reachable
// expect with -DSAFE: unreachable
// The same input decides in the same way twice, another one need not.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int c = in(), d = 0;
    while (in()) {
        if (c) d = 1; else d = 2;
        if (OK(c, in()) ? d == 2 : d == 1) reach_error();
    }
    return 0;
}
