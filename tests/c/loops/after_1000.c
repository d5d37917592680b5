// expect: reachable
// expect with -DSAFE: unreachable
// The gap is only behind a thousand rounds.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = in(), i;
    for (i = 0; i < 1000; i++) if (x == OK(i, i + 5000)) return 0;
    if (OK(x >= 0 && x < 1000, x == 1000)) reach_error();
    return 0;
}
