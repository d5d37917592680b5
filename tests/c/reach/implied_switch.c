// expect: reachable
// inputs: 0 1 2 3
// A switch fixes x in its cases, and not where two cases meet.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), s = 0;
    switch (x) {
    case 1: case 2: s = 10 * x; break;
    case 3: s = x; break;
    default: return 0;
    }
    if (s == 20) reach_error();
    return 0;
}
