// expect: reachable
// inputs: 0 1
// The exit is at the end of the round.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, s = 0;
    do {
        if (__VERIFIER_nondet_int() == 1) s++;
        if (s == 4) reach_error();
    } while (++i < 4);
    return 0;
}
