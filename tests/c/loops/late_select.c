// expect: reachable
// expect with -DSAFE: unreachable
// An input selects one of two objects after many rounds.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x[2] = {0}, y[2] = {0};
    int *p = x, *q[2] = {x, OK(x + 1, y)}, n = 0;
    while (in()) {
        *p = 1;
        if (y[0]) reach_error();
        n = n < 20 ? n + 1 : 0;
        if (n == 19) p = q[in() & 1];
    }
    return 0;
}
