// expect: reachable
// inputs: 0 1
// Rounds may be wasted, and are wasted first: each state is met in all rounds, the last first.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0;
    for (int i = 0; i < 4; i++) {
        if (__VERIFIER_nondet_int() == 0) continue;
        if (s == 3) reach_error();
        s++;
    }
    return 0;
}
