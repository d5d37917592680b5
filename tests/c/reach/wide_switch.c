// expect: reachable
// expect with -DSAFE: unreachable
// The comparisons of a switch over 128 bits are blocks that only the front end knows, in the middle of the code.
extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
#define CASE(n) case (__int128)(n) << 80 | 1:
#define FOUR(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
int main(void) {
    int r;
    switch ((__int128)__VERIFIER_nondet_uchar() << 80 | 1) {
    FOUR(0) FOUR(10) FOUR(20) FOUR(30) FOUR(40) r = 1; break;
#ifndef SAFE
    default: r = 0;
#else
    default: r = 2;
#endif
    }
    if (r == 0) reach_error();
    return 0;
}
