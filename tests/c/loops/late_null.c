// expect: reachable
// expect with -DSAFE: unreachable
// Null, then one object, then the other.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = 0, a = 0, b = 0, *p = 0;
    while (in()) {
        if (p) *p = 1;
        if (b) reach_error();
        n++;
        if (n == 12) p = &a;
        if (n == 20) p = OK(0, &b);
        if (n > 30) n = 0;
    }
    return 0;
}
