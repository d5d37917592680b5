// expect: reachable
// expect with -DSAFE: unreachable
// A copy of the counter lives on in the loop.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int kept = 0;
    for (int i = 0; i < 5; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 1) kept = i;
#ifndef SAFE
        else if (in == 2 && kept == 3) reach_error();
#else
        else if (in == 2 && kept == 4) reach_error();
#endif
    }
    return 0;
}
