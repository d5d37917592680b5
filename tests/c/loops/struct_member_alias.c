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
struct s { int a[2]; int b; } v;
int main(void) {
    int *p = (int *)&v;
    int i = 0;
    while (in()) {
        p[i] = 1;
        i = i == OK(1, 2) ? 0 : i + 1;
        if (v.b) reach_error();
    }
    return 0;
}
