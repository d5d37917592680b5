// expect: reachable
// expect with -DSAFE: unreachable
// Up to the zero, whose place is an input.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    char s[8] = "aaaaaaa";
    int k = in();
    if (k < OK(0, -1) || k > 6) return 0;
    if (k >= 0) s[k] = 0;
    char *p = s;
    while (*p) p++;
    if (p - s == 7) reach_error();
    return 0;
}
