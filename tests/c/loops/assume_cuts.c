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
extern void __VERIFIER_assume(int);
int main(void) {
    int x = 0;
    while (in()) {
        int d = in();
        __VERIFIER_assume(d >= 0 && d < 3);
        x += d;
        __VERIFIER_assume(x <= 10);
        if (x == OK(11, 10)) reach_error();
    }
    return 0;
}
