// expect: reachable
// inputs: 0 1 2
// A copy of the counter lives on in the loop.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int kept = 0;
    for (int i = 0; i < 5; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 1) kept = i;
        else if (in == 2 && kept == 3) reach_error();
    }
    return 0;
}
