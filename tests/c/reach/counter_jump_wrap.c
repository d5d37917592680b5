// expect: reachable
// expect with -DSAFE: unreachable
// Steps of six: one start meets the exit, the other one wraps past it.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned s = 0, i, round = 0;
#ifndef SAFE
    if (__VERIFIER_nondet_int() == 1) i = 0xfffffff6u; else i = 0xfffffffau;
#else
    if (__VERIFIER_nondet_int() == 1) i = 0xfffffff6u; else i = 0xfffffff2u;
#endif
    for (; i < 0xfffffffcu; i += 6) {
        if (++round > 4) return 0;
        if (__VERIFIER_nondet_int() == 1) s++;
        if (s == 3) reach_error();
    }
    return 0;
}
