// expect: reachable
// expect with -DSAFE: unreachable
// Behind the cut nothing is reached.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
extern void __VERIFIER_assume(int);
int main(void) {
    int x = 0;
    while (in()) { x = x < 9 ? x + 1 : x; }
    __VERIFIER_assume(x == OK(10, 9));
    reach_error();
    return 0;
}
