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
    int before = 0, n = 0;
    while (in()) {
        int now = in();
        if (OK(now, n > 1 && now == before + 17) && now == OK(now + 1, 40)) reach_error();
        before = now;
        n = n < 2 ? n + 1 : n;
    }
    return 0;
}
