// expect: reachable
// expect with -DSAFE: unreachable
// A switch fixes x in its cases, and not where two cases meet.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), s = 0;
    switch (x) {
    case 1: case 2: s = 10 * x; break;
    case 3: s = x; break;
    default: return 0;
    }
#ifndef SAFE
    if (s == 20) reach_error();
#else
    if (s == 30) reach_error();
#endif
    return 0;
}
