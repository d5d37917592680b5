// expect: reachable
// expect with -DSAFE: unreachable
// In steps of six 2^16 is not met before the third time around.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned short x = 0;
    unsigned rounds = 0;
    for (rounds = 0; rounds < 40000; rounds++) {
        x += 6;
        if (x == OK(1, 2)) reach_error();
    }
    return 0;
}
