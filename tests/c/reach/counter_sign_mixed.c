// expect: reachable
// The ends compare with a sign and without.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    for (int i = -3; i < 3; i++) {
        if (__VERIFIER_nondet_int() == 7) {
            if ((unsigned)i >= 3u) return 0;
            reach_error();
        }
    }
    return 0;
}
