// expect: reachable
// expect with -DSAFE: unreachable
// A byte comes back to zero after 256 rounds, and the other one as well, in step.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
unsigned char x = 0, y = 0;
int main(void) {
    while (in()) {
        x += 1;
        y += OK(1, 3);
        if (OK(x == 0 && y != 0, x == 255 && y != 255)) reach_error();
        if (x == 0) y = 0;
    }
    return 0;
}
