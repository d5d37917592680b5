// expect: reachable
// expect with -DSAFE: unreachable
// What is known is twice x, which leaves two values of x.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    if (x * 2 == 10) {
#ifndef SAFE
        if (x == 0x80000005u) reach_error();
#else
        if (x == 0x40000005u) reach_error();
#endif
    }
    return 0;
}
