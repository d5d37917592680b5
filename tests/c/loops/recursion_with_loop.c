// expect: reachable
// expect with -DSAFE: unreachable
// Each level has a loop of its own, with the same head.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
static int most;
static void go(int n) {
    int i = 0;
    while (i < 2) {
        if (n > most) most = n;
        if (n < OK(2, 3) && in()) go(n + 1);
        i++;
    }
}
int main(void) {
    while (in()) go(0);
    if (most == 3) reach_error();
    return 0;
}
