// expect: reachable
// expect with -DSAFE: unreachable
// As unsigned numbers negative ones are large.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int i = 10;
    unsigned bound = 3;
    while (i >= OK(0, -2)) {
        if (i > 10) return 0;
        if (i < 0 && (unsigned)i > bound) reach_error();
        if (in()) i--;
    }
    return 0;
}
