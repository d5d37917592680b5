// expect: reachable
// expect with -DSAFE: unreachable
// Only the first round.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int first = 1, x = in();
    while (in()) {
        if (first && x == OK(x + 1, 77)) reach_error();
        first = 0;
    }
    return 0;
}
