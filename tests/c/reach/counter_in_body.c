// expect: reachable
// expect with -DSAFE: unreachable
// The body asks for a certain round.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 5; i++) {
        int in = __VERIFIER_nondet_int();
#ifndef SAFE
        if (in == 1 && i == 3) reach_error();
#else
        if (in == 1 && i == 7) reach_error();
#endif
    }
    return 0;
}
