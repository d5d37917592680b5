// expect: reachable
// expect with -DSAFE: unreachable
// The length of what is filled grows.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
void *memset(void *, int, unsigned long);
int main(void) {
    unsigned char a[32] = {0};
    unsigned n = 0;
    while (in()) { memset(a, 1, n); n = n < OK(20, 21) ? n + 1 : 0; if (a[20]) reach_error(); }
    return 0;
}
