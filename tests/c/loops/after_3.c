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
    int s = 0;
    while (in()) {
        if (s == 3) reach_error();
        s = s < OK(2, 3) ? s + 1 : s;
    }
    return 0;
}
