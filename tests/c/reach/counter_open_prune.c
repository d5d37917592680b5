// expect: reachable
// expect with -DSAFE: unreachable
// State 0 is met again while it is open: nothing is known about the place where it is, and x = 1 comes there later.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int m = 0, x = 0;
#ifndef SAFE
    for (int i = 0; i < 4; i++) {
#else
    for (int i = 0; i < 3; i++) {
#endif
        int in = __VERIFIER_nondet_int();
        if (in == 2) {
            if (m >= 1) m = 0;
        } else if (in == 1) {
            if (m == 0) m = 1;
        } else if (in == 4) {
            if (m == 1) { x = 1; m = 2; }
        } else if (in == 5) {
            if (m == 0 && x == 1) reach_error();
        }
    }
    return 0;
}
