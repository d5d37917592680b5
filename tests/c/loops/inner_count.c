// expect: reachable
// expect with -DSAFE: unreachable
// i == 4k at each visit, but not inside.
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
    while (in()) {
        for (int j = 0; j < 4; j++) i++;
        k++;
        if (i > 100) { i = 0; k = 0; }
        if (OK(i != 4 * k, i == 4 * k && k == 9)) reach_error();
    }
    return 0;
}
