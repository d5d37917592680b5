// expect: reachable
// expect with -DSAFE: unreachable
// An int that only grows gets negative, by -fwrapv.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = 0;
    while (in()) {
        if (OK(x > 0x3fffffff, 0)) break;
        x += 0x20000000;
        if (x < 0) reach_error();
    }
    return 0;
}
