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
    int x = 0;
    while (in()) {
        while (in()) {
            while (in()) { if (x < 4) x += 2; }
            if (x == 3) reach_error();
        }
        if (x == 4 && OK(0, in())) x = 1;
    }
    return 0;
}
