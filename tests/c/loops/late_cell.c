// expect: reachable
// expect with -DSAFE: unreachable
// A cell is written after many rounds only, through an index that was in other cells before.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    unsigned char a[16] = {0}, i = 0;
    while (in()) { a[i & OK(12, 15)] = 1; i = i < 40 ? i + 1 : 0; if (a[13]) reach_error(); }
    return 0;
}
