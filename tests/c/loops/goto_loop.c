// expect: reachable
// expect with -DSAFE: unreachable
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int x = 0;
again:
    x = x < OK(6, 7) ? x + 1 : x;
    if (x == 7) reach_error();
    if (in()) goto again;
    return 0;
}
