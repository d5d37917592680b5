// expect: reachable
// expect with -DSAFE: unreachable
// A variable of the block has another value in each round.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int kept = 0, last = 0, n = 0;
    while (in()) {
        int x = in();
        if (n > 0 && OK(last, x) != kept && kept == 5) reach_error();
        kept = x; last = x; n = 1;
    }
    return 0;
}
