// expect: reachable
// x is compared again, on the other side too.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), s = 0;
    if (x == 5) s = 1;
    if (x >= 5) s += 2;
    if (x != 5) s += 4;
    if (s == 6) reach_error();
    return 0;
}
