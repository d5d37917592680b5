// expect: reachable
// expect with -DSAFE: unreachable
// The body starts to count again, twice at most.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int resets = 0, s = 0;
    for (int i = 0; i < 2; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 1 && resets < 2) { i = -1; resets++; s++; }
        else if (in == 2) s++;
#ifndef SAFE
        if (s == 6) reach_error();
#else
        if (s == 7) reach_error();
#endif
    }
    return 0;
}
