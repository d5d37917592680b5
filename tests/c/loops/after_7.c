// expect: reachable
// expect with -DSAFE: unreachable
// The one bit of a ring.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned char ring = 1;
    for (;;) {
        ring = (unsigned char)(ring << 1 | ring >> 7);
        if (ring == OK(3, 128)) reach_error();
        if (in() == 4711) return 0;
    }
}
