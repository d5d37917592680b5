// expect: reachable
// expect with -DSAFE: unreachable
// Objects whose size a loop made.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
void *malloc(unsigned long); void *memset(void *, int, unsigned long);
int main(void) {
    unsigned n = 1;
    while (in()) n = n < 9 ? n + 1 : n;
    char *p = malloc(n);
    if (!p) return 0;
    memset(p, 7, n);
    if (p[n - 1] != 7 || n == OK(10, 9)) reach_error();
    return 0;
}
