// expect: reachable
// As before, with an input that only the path tells apart.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), m = 0, known = 0;
    for (int i = 0; i < 4; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 2) {
            if (m >= 1) m = 0;
        } else if (in == 1) {
            if (m == 0) m = 1;
        } else if (in == 4) {
            if (m == 1 && x > 3) { known = 1; m = 2; }
        } else if (in == 5) {
            if (m == 0 && known && x < 5) reach_error();
        }
    }
    return 0;
}
