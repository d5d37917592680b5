// expect: reachable
// Wraps downwards to an unequal bound: early counters are the smaller ones.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
    for (unsigned i = 1; i != 0xfffffffdu; i--) {
        int in = __VERIFIER_nondet_int();
        if (in == 9) return 0;
        if (s == 0) { if (in == 1) s = 1; else s = 3; }
        else if (s < 4) s++;
        else reach_error();
    }
    return 0;
}
