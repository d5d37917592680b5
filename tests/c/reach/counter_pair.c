// expect: reachable
// expect with -DSAFE: unreachable
// Two counters that only end things: neither state is better than the other.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, j = 0, s = 0, late = 0;
    while (i < 3) {
        int in = __VERIFIER_nondet_int();
        if (in == 1) { j = 3; goto second; }
#ifndef SAFE
        if (in == 2 && late) { j = 0; goto second; }
#else
        if (in == 2 && late) { j = 2; goto second; }
#endif
        late = 1;
        i++;
    }
    return 0;
second:
    while (j < 4) {
        if (__VERIFIER_nondet_int() == 1) s++;
        if (s == 3) {
            if (i >= 2) return 0;
            reach_error();
        }
        j++;
    }
    return 0;
}
