// expect: reachable
// expect with -DSAFE: unreachable
// Entered again, the first loop begins with what the second one left.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = 0, y = 0;
    while (in()) {
        while (in() && x < 10) { x++; y++; }
        if (x != y) reach_error();
        while (in() && x > 0) { x--; y -= OK(1, y > 6 ? 2 : 1); }
    }
    return 0;
}
