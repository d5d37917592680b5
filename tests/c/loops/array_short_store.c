// expect: reachable
// expect with -DSAFE: unreachable
// Half of an element is written, at an index that is an input.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned a[32];
    int n = in(), k = in(), i;
    if (n < 0 || n > 32 || k < 0 || k >= 32) return 0;
    for (i = 0; i < n; i++) a[i] = 0x50005;
    unsigned short *p = (unsigned short *)a;
    p[2 * k + 1] = OK(5, 6);
    for (i = 0; i < n; i++) if (a[i] != 0x50005) reach_error();
    return 0;
}
