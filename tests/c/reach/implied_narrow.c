// expect: reachable
// expect with -DSAFE: unreachable
// A narrowed x is known; x and its widened forms are not.
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    signed char narrow = (signed char)x;
    unsigned char bits = (unsigned char)x;
    long wide = x;
    if (narrow == -5) {
        if (bits != 251) reach_error();
#ifndef SAFE
        if (wide == 251) reach_error();
#else
        if (wide == 252) reach_error();
#endif
    }
    return 0;
}
