// expect: reachable
// inputs: 0 1
// Used after the loop.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i;
    for (i = 0; i < 5; i++)
        if (__VERIFIER_nondet_int() == 1) break;
    if (i == 3) reach_error();
    return 0;
}
