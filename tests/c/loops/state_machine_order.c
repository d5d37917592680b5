// expect: reachable
// expect with -DSAFE: unreachable
// The error needs an order of inputs.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a = 0, b = 0, c = 0;
    while (1) {
        int k = in();
        if (k == 1 && b == OK(1, 0)) a = 1;
        else if (k == 2 && a) b = 1;
        else if (k == 3 && b) c = 1;
        else if (k == 9) return 0;
        if (c) reach_error();
    }
}
