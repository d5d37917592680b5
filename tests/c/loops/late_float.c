// expect: reachable
// expect with -DSAFE: unreachable
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    double d = 0;
    float f = 0;
    int n = 0;
    while (in()) {
        d += 0.1;
        f = (float)d;
        n = n < 40 ? n + 1 : n;
        if (f > OK(4.5f, 2.95f) && f < OK(9.0f, 3.05f)) reach_error();
        if (n == 39) { d = 0; n = 0; }
    }
    return 0;
}
