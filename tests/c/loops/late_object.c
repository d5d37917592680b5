// expect: reachable
// expect with -DSAFE: unreachable
// A pointer leads to the other object after many rounds.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = 0, a = 0, b = 0, *p = &a;
    while (in()) {
        *p = *p < 3 ? *p + 1 : 0;
        if (b == 2) reach_error();
        n++;
        if (n == OK(-1, 20)) p = &b;
        if (n > 30) n = 0;
    }
    return 0;
}
