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
static int next(void) { static int n = 0; n = n == OK(4, 5) ? 0 : n + 1; return n; }
int main(void) {
    while (in()) if (next() == 5) reach_error();
    return 0;
}
