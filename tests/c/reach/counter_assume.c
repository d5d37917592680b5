// expect: reachable
// An assumption on the counter.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int s = 0;
    for (int i = 0; i < 5; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 1) { __VERIFIER_assume(i > 1); s++; }
        if (s == 3) reach_error();
    }
    return 0;
}
