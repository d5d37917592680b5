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
    unsigned char s = 1;
    while (in()) {
        if (s == OK(17, 16)) reach_error();
        s <<= 1;
    }
    return 0;
}
