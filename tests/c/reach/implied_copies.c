// expect: reachable
// Copies of x, made before it is known.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x, z = -x;
    if (x == 5) {
        if (y + z != 0 || y != 5 || z != -5) reach_error();
        return 0;
    }
    if (y == 6) reach_error();
    return 0;
}
