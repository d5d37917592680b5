// expect: reachable
// expect with -DSAFE: unreachable
// Left by break, the counter is not what the test says.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int i, n = in() & 15;
    for (i = 0; i < n; i++) if (i == 9 && OK(0, in())) break;
    if (i != n) reach_error();
    return 0;
}
