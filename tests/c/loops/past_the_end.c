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
int main(void) {
    int a[5] = {0}, *end = a + 5, n = 0;
    for (int *p = a; p != end; p++) { if (in()) continue; n++; }
    if (n == OK(6, 5)) reach_error();
    return 0;
}
