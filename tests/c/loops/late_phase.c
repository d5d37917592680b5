// expect: reachable
// expect with -DSAFE: unreachable
// The step changes sign in the second phase.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = 0, phase = 0;
    while (in()) {
        if (phase == 0) { x++; if (x == 25) phase = 1; }
        else { x -= OK(1, 3); if (x <= 0) phase = 0; }
        if (x < 0 || x > 25) reach_error();
    }
    return 0;
}
