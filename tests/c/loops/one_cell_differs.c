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
    unsigned char a[4] = {1, 1, OK(1, 2), 1};
    int i = 0;
    while (in()) {
        if (a[i & 3] != 1) reach_error();
        i++;
        if (i == 100) i = 0;
    }
    return 0;
}
