// expect: reachable
// expect with -DSAFE: unreachable
// An array of another size in each round.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = 1, sum = 0;
    while (in()) {
        int a[n];
        a[n - 1] = n;
        sum = a[n - 1];
        n = n < 5 ? n + 1 : 1;
        if (sum == OK(6, 5)) reach_error();
    }
    return 0;
}
