// expect: reachable
// expect with -DSAFE: unreachable
// Swapped by xor: the sum stays.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned x = 5, y = 9;
    while (in()) {
        x ^= y; y ^= x; x ^= y;
        if (in()) x ^= OK(0, 1);
        if (x + y != 14) reach_error();
    }
    return 0;
}
