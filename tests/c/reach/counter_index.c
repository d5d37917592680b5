// expect: reachable
// expect with -DSAFE: unreachable
// The counter is an index: what is stored tells the rounds apart later.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static char seen[8];
int main(void) {
    for (int i = 0; i < 4; i++) {
        int in = __VERIFIER_nondet_int();
#ifndef SAFE
        if (in == 2 && seen[2] && !seen[1]) reach_error();
#else
        if (in == 2 && seen[3] && !seen[1]) reach_error();
#endif
        if (in == 1) seen[i] = 1;
    }
    return 0;
}
