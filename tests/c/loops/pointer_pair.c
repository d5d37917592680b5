// expect: reachable
// expect with -DSAFE: unreachable
// Two pointers walk towards each other.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a[6] = {0}, *l = a, *r = a + 5;
    while (l < r) { if (in()) l++; else r--; }
    if (OK(l != r, l == a + 4)) reach_error();
    return 0;
}
