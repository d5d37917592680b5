// expect: reachable
// Two counters that only end things: neither state is better than the other.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, j = 0, s = 0, late = 0;
    while (i < 3) {
        int in = __VERIFIER_nondet_int();
        if (in == 0) { late = 1; i++; continue; }
        if (in == 1 && late) { j = 0; goto second; }
        if (in == 2) { j = 3; goto second; }
        return 0;
    }
    return 0;
second:
    while (j < 4) {
        if (__VERIFIER_nondet_int() == 1) s++;
        if (s == 1) {
            if (i >= 1) return 0;
            reach_error();
        }
        j++;
    }
    return 0;
}
