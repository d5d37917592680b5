// expect: reachable
// expect with -DSAFE: unreachable
// A pointer that was a number for a while.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[4] = {0};
    unsigned long at = (unsigned long)a;
    int n = 0;
    while (in()) {
        at = n == 3 ? (unsigned long)a : at + 4;
        n = n == 3 ? 0 : n + 1;
        if (at == (unsigned long)(a + OK(4, 3))) reach_error();
    }
    return 0;
}
