// expect: reachable
// expect with -DSAFE: unreachable
// What is learnt about state 3 in a late round holds for fewer rounds only.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int s = 0, x = 10;
    for (int i = 0; i < 4; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == 9) return 0;
#ifndef SAFE
        if (s == 0) { if (in == 1) s = 1; else { s = 3; x = 9; } }
#else
        if (s == 0) { if (in == 1) s = 1; else { s = 3; x = 8; } }
#endif
        else if (s < 3) s++;
        else { x += 2; if (x > 14) reach_error(); }
    }
    return 0;
}
