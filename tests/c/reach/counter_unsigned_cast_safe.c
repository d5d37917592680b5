// expect: unreachable
// inputs: 0 1 9
// A negative counter, compared without a sign, leaves at zero.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
    for (int i = -2; (unsigned)i > 10u; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 9) return 0;
        if (s == 0) { if (in == 1) s = 1; else s = 3; }
        else if (s < 4) s++;
        else reach_error();
    }
    return 0;
}
