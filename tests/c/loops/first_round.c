// expect: reachable
// expect with -DSAFE: unreachable
// Only a path that never enters the loop.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = in(), s = OK(1, 0);
    for (int i = 0; i < n; i++) s = 1;
    if (s == 0) reach_error();
    return 0;
}
