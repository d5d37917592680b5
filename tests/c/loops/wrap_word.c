// expect: reachable
// expect with -DSAFE: unreachable
// Over 2^32 a sum of steps of 2^30 is zero again.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned x = 0, n = 0;
    while (in()) {
        x += 0x40000000u;
        n++;
        if (n > 3 && OK(x == 1, x == 0)) reach_error();
    }
    return 0;
}
