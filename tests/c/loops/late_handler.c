// expect: reachable
// expect with -DSAFE: unreachable
// A handler is registered after many rounds.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int atexit(void (*)(void));
static void bad(void) { reach_error(); }
int main(void) {
    int n = 0;
    while (in()) { n = n < 20 ? n + 1 : n; if (n == OK(21, 20)) { atexit(bad); n = 0; } }
    return 0;
}
