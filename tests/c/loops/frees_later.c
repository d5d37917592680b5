// expect: reachable
// expect with -DSAFE: unreachable
// What was allocated before the loop is freed in some round.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
void *malloc(unsigned long); void free(void *);
int main(void) {
    int *p = malloc(4), live = 1, rounds = 0;
    if (!p) return 0;
    *p = 0;
    while (in()) {
        if (live && in()) { if (*p == OK(9, 4)) reach_error(); free(p); live = 0; p = 0; }
        if (live && *p < 8) *p += 1;
        rounds++;
    }
    return 0;
}
