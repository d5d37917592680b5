// expect: reachable
// expect with -DSAFE: unreachable
// A pointer that an input selects, without a branch.
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
    int *p = x;
    while (in()) {
        int c = in() & 1;
        int *q[2] = {x, OK(x, y)};
        p = q[c];
        *p = *p < 3 ? *p + 1 : *p;
        if (y[0] == 3) reach_error();
    }
    return 0;
}
