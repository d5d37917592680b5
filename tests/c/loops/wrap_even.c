// expect: reachable
// expect with -DSAFE: unreachable
// Twos from an odd number on: never zero, but any odd number.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned x = 1;
    while (in()) {
        x *= 3;
        if (OK((x & 1) == 0, x == 243)) reach_error();
    }
    return 0;
}
