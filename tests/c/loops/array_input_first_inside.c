// expect: reachable
// expect with -DSAFE: unreachable
// As array_input_first_outside, the other way round.
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
        if (!mode) x = in();
        for (i = 0; i < 8; i++) a[i] = mode ? in() : x;
        for (i = 0; i < 8; i++) if (OK(!mode, 1) && a[i] != a[0]) reach_error();
    }
    return 0;
}
