// expect: reachable
// One of the ends is for rounds that are too early.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 6; i++) {
        if (__VERIFIER_nondet_int() == 7) {
            if (i < 3) return 0;
            reach_error();
        }
    }
    return 0;
}
