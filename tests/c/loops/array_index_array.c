// expect: reachable
// expect with -DSAFE: unreachable
// Written through an array of indices.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int at[10], a[10] = {0}, n = in(), i;
    if (n < 0 || n > 10) return 0;
    for (i = 0; i < n; i++) at[i] = i < OK(9, 8) ? i : OK(8, 9);
    for (i = 0; i < n; i++) a[at[i]] = 1;
    if (a[9]) reach_error();
    return 0;
}
