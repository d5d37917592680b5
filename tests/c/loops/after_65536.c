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
    unsigned short n = 0;
    unsigned wraps = 0;
    do {
        n++;
        if (n == 0) wraps++;
    } while (wraps < OK(1, 2) && n != OK(65535, 0));
    if (wraps == 1) reach_error();
    return 0;
}
