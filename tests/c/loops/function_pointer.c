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
static void bad(void) { reach_error(); }
static void good(void) { }
static void (*f)(void) = good;
int main(void) {
    int n = 0;
    while (in()) {
        f();
        n = n < 5 ? n + 1 : n;
        if (n == OK(6, 5)) f = bad;
    }
    return 0;
}
