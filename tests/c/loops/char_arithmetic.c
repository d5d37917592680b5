// expect: reachable
// expect with -DSAFE: unreachable
// Promoted to int the sum does not wrap, kept in a char it does.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned char a = 250, b = 0;
    while (in()) {
        int sum = a + 10;
        unsigned char kept = a + 10;
        if (sum < 256 && OK(kept < 10, kept == 255)) reach_error();
        b++;
        a = b;
    }
    return 0;
}
