// expect: reachable
// expect with -DSAFE: unreachable
// A pointer is null in the first round, and leads to a variable in the others.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int *kept = 0, outer = 0;
    while (in()) {
        int x = in() & 1;
        if (kept && *kept == OK(8, 7)) reach_error();
        kept = &outer;
        outer = outer < 7 ? outer + x : outer;
    }
    return 0;
}
