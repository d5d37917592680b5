// expect: reachable
// expect with -DSAFE: unreachable
// Each input is larger than the one before: the third is at least two.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int last = -1, n = 0;
    while (n < 1000) {
        int x = in();
        if (x <= last) return 0;
        last = x;
        n++;
        if (n > 2 && last < OK(2, 3)) reach_error();
    }
    return 0;
}
