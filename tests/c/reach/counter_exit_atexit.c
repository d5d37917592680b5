// expect: reachable
// expect with -DSAFE: unreachable
// After the loop the program ends, and only a function registered before fails.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern int atexit(void (*)(void));
static int s, over; static void done(void) { if (over && s) reach_error(); }
int main(void) {
    atexit(done);
#ifndef SAFE
    for (int i = 0; i < 3; i++) {
#else
    for (int i = 0; i < 4; i++) {
#endif
        if (__VERIFIER_nondet_int() == 1) return 0;
        s ^= 1;
    }
    over = 1;
    return 0;
}
