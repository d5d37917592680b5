// expect: reachable
// expect with -DSAFE: unreachable
// The callee counts its own calls.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
static int calls(void) { static unsigned char n; n++; return n; }
int main(void) {
    while (in()) {
        int c = calls();
        if (c == OK(256, 30)) reach_error();
    }
    return 0;
}
