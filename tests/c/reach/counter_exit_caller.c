// expect: reachable
// expect with -DSAFE: unreachable
// The loop is in a function, whose caller fails.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int s;
static void loop(void) {
#ifndef SAFE
    for (int i = 0; i < 5; i++) {
#else
    for (int i = 0; i < 4; i++) {
#endif
        if (__VERIFIER_nondet_int() == 1) return;
        s ^= 1;
        if (s == 7) reach_error();
    }
    s += 2;
}
int main(void) {
    loop();
    if (s == 3) reach_error();
    return 0;
}
