// expect: reachable
// expect with -DSAFE: unreachable
// The table is indexed by what the loop changes.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static int (*table[2])(int) = {inc, dec};
int main(void) {
    int x = 0, turn = 0;
    while (in()) {
        x = table[turn](x);
        turn ^= OK(1, in() & 1);
        if (x == 3) reach_error();
    }
    return 0;
}
