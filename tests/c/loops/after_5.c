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
    int a = 0, b = 1;
    while (in()) {
        int c = a + b;
        a = b; b = c;
        if (b == OK(4, 8)) reach_error();
        if (b > 50) break;
    }
    return 0;
}
