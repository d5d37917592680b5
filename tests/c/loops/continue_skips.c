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
    int i = 0, k = 0;
    while (i < 12) {
        i++;
        if (OK(0, in()) && i == 7) continue;
        k++;
    }
    if (k != 12) reach_error();
    return 0;
}
