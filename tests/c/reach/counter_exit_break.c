// expect: reachable
// A counter breaks off an endless loop, and the error is behind it.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, s = 0;
    for (;;) {
        if (i >= 3) break;
        if (__VERIFIER_nondet_int() == 1) return 0;
        s ^= 1;
        i++;
    }
    if (s) reach_error();
    return 0;
}
