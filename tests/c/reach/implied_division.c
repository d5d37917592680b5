// expect: reachable
// inputs: 10 11 12 13 14 15
// A quotient is known, which leaves several values of x.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    if (x / 3 == 4) {
        if (x == 14) reach_error();
    }
    return 0;
}
