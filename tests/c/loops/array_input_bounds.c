// expect: reachable
// expect with -DSAFE: unreachable
// The bound of the inner loop is read before it or in it.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    while (in()) {
        int n = 5, i = 0, mode = in();
        if (mode) n = in();
        while (i < n && i < 100) { i++; if (!mode) n = in(); }
        if (OK(mode, 1) && n > 0 && n < 100 && i != n) reach_error();
    }
    return 0;
}
