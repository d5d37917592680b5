// expect: reachable
// expect with -DSAFE: unreachable
// A cycle of states, in which the error needs the second turn.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int m = 0, turns = 0;
#ifndef SAFE
    for (int i = 0; i < 6; i++) {
#else
    for (int i = 0; i < 5; i++) {
#endif
        int in = __VERIFIER_nondet_int();
        if (in == 1) m = 0;
        else if (m == 2) { m = 0; turns++; }
        else m++;
        if (turns == 2) reach_error();
    }
    return 0;
}
