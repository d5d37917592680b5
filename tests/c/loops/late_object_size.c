// expect: reachable
// expect with -DSAFE: unreachable
// The last byte of an object is its first one in the first round only.
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
    unsigned n = 1;
    while (in()) {
        char *p = malloc(n);
        if (!p) return 0;
        p[n - 1] = 1; p[0] = 2;
        if (p[n - 1] == OK(3, 1) && n == 17) reach_error();
        free(p);
        n = n < 30 ? n + 1 : 1;
    }
    return 0;
}
