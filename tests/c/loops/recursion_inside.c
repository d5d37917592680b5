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
static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
int main(void) {
    int n = 0;
    while (in()) {
        n = n < 4 ? n + 1 : n;
        if (depth(n) == OK(5, 4)) reach_error();
    }
    return 0;
}
