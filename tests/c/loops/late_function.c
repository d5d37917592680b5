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
    while (in()) { f(); n++; if (n == OK(32, 20)) f = bad; if (n > 30) n = 0; }
    return 0;
}
