// expect: reachable
// expect with -DSAFE: unreachable
// The inner loop sets a flag in its last round, when the outer one has gone round often.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    int flag = 0, n = 0;
    while (in()) {
        if (flag) reach_error();
        for (int j = 0; j < n; j++) if (j == OK(12, 11)) flag = 1;
        n = n < 12 ? n + 1 : 0;
    }
    return 0;
}
