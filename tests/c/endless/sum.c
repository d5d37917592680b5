// A sum of any number of summands: the check of an addition fails soon, but never on the first way
// that is taken.
// options: --cc-arg=-fsanitize=signed-integer-overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        int x = __VERIFIER_nondet_int();
        if (x < 0 || x > 1000000000) continue;
        sum = sum + x;
    }
    return 0;
}
