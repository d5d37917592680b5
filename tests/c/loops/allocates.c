// expect: reachable
// expect with -DSAFE: unreachable
// Each round has an object of its own.
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
    int sum = 0;
    while (in()) {
        int *p = malloc(sizeof *p);
        if (!p) return 0;
        *p = sum;
        if (*p == OK(-1, 3)) reach_error();
        sum = (*p + 1) & 7;
        free(p);
    }
    return 0;
}
