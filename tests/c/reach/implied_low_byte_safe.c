// expect: unreachable
// inputs: 5 261 -251
// The low byte is known, the rest of x is not.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if ((x & 0xff) == 5) {
        if (x == 260) reach_error();
    }
    return 0;
}
