// expect: reachable
// expect with -DSAFE: unreachable
// Two counters go together until the slower one wraps.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned char fast = 0, slow = 0;
    while (in()) {
        fast += 2; slow += 1;
        if (slow == OK(0, 20)) { slow = 0; fast = OK(0, 1); }
        if ((fast & 1) || (unsigned char)(2 * slow) != fast) reach_error();
    }
    return 0;
}
