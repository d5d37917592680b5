// expect: reachable
// expect with -DSAFE: unreachable
// Index 3 is only written when the counter wraps.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned char a[4] = {0}, i = 0;
    while (in()) {
        a[i >> 6 & OK(1, 3)] = 1;
        i += 8;
        if (a[3]) reach_error();
    }
    return 0;
}
