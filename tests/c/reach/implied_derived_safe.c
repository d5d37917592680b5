// expect: unreachable
// inputs: 4 5 6
// Values computed from x before it is known.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int(), next = x + 1, twice = x * 2, square = x * x;
    if (x == 5) {
        if (next == 6 && twice == 10 && square == 26) reach_error();
    }
    return 0;
}
