// expect: reachable
// expect with -DSAFE: unreachable
// Nested counters, the error in one corner.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int n = in() & 15, i, j;
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++)
            if (i + j == OK(29, 28)) reach_error();
    return 0;
}
