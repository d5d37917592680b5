// expect: reachable
// expect with -DSAFE: unreachable
// Inputs of different rounds have nothing to do with each other.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int first = in(), last = first, n = 0;
    while (in()) { last = in(); n = 1; }
    if (OK(n == 0, 1) && last != first) reach_error();
    return 0;
}
