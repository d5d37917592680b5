// expect: reachable
// expect with -DSAFE: unreachable
// Saved, changed and put back, all but once.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
struct S { int a[10]; } s, saved;
int main(void) {
    int i, k = 0;
    while (in()) {
        saved = s;
        for (i = 0; i < 10; i++) s.a[i] = in();
        k = k < 3 ? k + 1 : 0;
        if (k != OK(9, 3)) s = saved;
        for (i = 0; i < 10; i++) if (s.a[i]) reach_error();
    }
    return 0;
}
