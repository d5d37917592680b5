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
union U { int a[16]; char c[64]; } u;
int main(void) {
    int n = in(), i;
    if (n < 0 || n > 16) return 0;
    for (i = 0; i < n; i++) u.a[i] = 1;
    u.c[OK(12, 13)] = 1;
    for (i = 0; i < n; i++) if (u.a[i] != 1) reach_error();
    return 0;
}
