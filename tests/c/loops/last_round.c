// expect: reachable
// expect with -DSAFE: unreachable
// Only the last round is an error.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = in() & 63;
    for (int i = 0; i < n; i++) {
        if (i == OK(63, 62)) reach_error();
    }
    return 0;
}
