// expect: reachable
// expect with -DSAFE: unreachable
// Both labels are entered from outside, and each leads to the other.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int a = 0, b = 0;
    if (in()) goto two;
one:
    a++;
    if (a > 9) a = 0;
    if (in()) return 0;
two:
    b = OK(a, b + 1);
    if (b > 20) b = 0;
    if (b == 15) reach_error();
    goto one;
}
