// expect: reachable
// expect with -DSAFE: unreachable
// What was read before the inner loop the first time is read in it the second time.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[8];
    while (in()) {
        int mode = in(), x = 0, i;
        if (mode) x = in();
        for (i = 0; i < 8; i++) a[i] = mode ? x : in();
        for (i = 0; i < 8; i++) if (OK(mode, 1) && a[i] != a[0]) reach_error();
    }
    return 0;
}
