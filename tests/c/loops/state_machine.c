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
    int s = 0;
    while (1) {
        switch (s) {
        case 0: s = in() ? 1 : 2; break;
        case 1: s = in() ? 3 : 0; break;
        case 2: s = 4; break;
        case 3: s = in() ? 5 : 0; break;
        case 4: s = in() ? 0 : 2; break;
        case 5: s = OK(0, in() ? 6 : 0); break;
        case 6: reach_error();
        }
        if (in() == 99) return 0;
    }
}
