// expect: reachable
// expect with -DSAFE: unreachable
// Inputs of two kinds are counted apart.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
extern char __VERIFIER_nondet_char(void);
int main(void) {
    char a[6];
    int i;
    while (in()) {
        char x = 0;
        int mode = in();
        if (mode) x = __VERIFIER_nondet_char();
        for (i = 0; i < 6; i++) a[i] = mode ? x : __VERIFIER_nondet_char();
        for (i = 0; i < 6; i++) if (OK(mode, 1) && a[i] != a[0]) reach_error();
    }
    return 0;
}
