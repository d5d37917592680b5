// expect: reachable
// expect with -DSAFE: unreachable
// The low byte is known, the rest of x is not.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if ((x & 0xff) == 5) {
#ifndef SAFE
        if (x == 261) reach_error();
#else
        if (x == 260) reach_error();
#endif
    }
    return 0;
}
