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
    int x = 0, other = 0, i = 0;
    int *p = &other;
    while (in()) {
        i = i == 4 ? 0 : i + 1;
        p = i == OK(5, 4) ? &x : &other;
        *p = 1;
        if (x) reach_error();
    }
    return 0;
}
