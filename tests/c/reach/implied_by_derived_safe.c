// expect: unreachable
// inputs: 5 -2147483643 0
// What is known is twice x, which leaves two values of x.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    if (x * 2 == 10) {
        if (x == 0x40000005u) reach_error();
    }
    return 0;
}
