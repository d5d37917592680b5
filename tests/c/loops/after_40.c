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
    int n = 0, x = 0;
    while (in()) {
        n++;
        x += n == OK(-1, 40);
        if (x) reach_error();
        if (OK(n == 60, n < 0)) n = 0;
    }
    return 0;
}
