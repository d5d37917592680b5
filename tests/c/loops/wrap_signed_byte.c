// expect: reachable
// expect with -DSAFE: unreachable
// The counter gets negative when it wraps, unless it stops before.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    signed char c = 0;
    while (in()) {
        c++;
        if (c == OK(126, 127) && in()) c = 0;
        else if (c == OK(126, 127)) c = OK(0, 127);
        if (c < 0) reach_error();
    }
    return 0;
}
