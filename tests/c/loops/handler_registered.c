// expect: reachable
// expect with -DSAFE: unreachable
// Some round registers a handler that runs at exit.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int atexit(void (*)(void));
static int armed;
static void handler(void) { if (armed == OK(4, 2)) reach_error(); }
int main(void) {
    int n = 0, done = 0;
    while (in()) {
        n = n < 6 ? n + 1 : n;
        if (n == 6 && !done) { atexit(handler); done = 1; armed = 1; }
        else if (done) armed = 2;
    }
    return 0;
}
