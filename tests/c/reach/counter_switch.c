// expect: reachable
// expect with -DSAFE: unreachable
// A switch leaves at one count, which a greater step passes by.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int i = 0, s = 0;
    for (int round = 0; round < 6; round++) {
        int in = __VERIFIER_nondet_int();
        switch (i) {
        case 4: return 0;
        case 9: return 1;
        default: break;
        }
#ifndef SAFE
        if (s == 0) { if (in == 1) i = 3; else i = 5; s = 1; }
#else
        if (s == 0) { if (in == 1) i = 3; else i = 7; s = 1; }
#endif
        else { i++; if (in == 1) s++; }
        if (s == 4) reach_error();
    }
    return 0;
}
