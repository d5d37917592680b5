// expect: unreachable
// inputs: 4 5 6
// The other side of a comparison fixes x as well.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x - 5;
    if (x != 5) {
        if (y == 0) reach_error();
        return 0;
    }
    if (y != 0) reach_error();
    return 0;
}
