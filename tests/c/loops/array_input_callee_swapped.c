// expect: reachable
// expect with -DSAFE: unreachable
// As array_input_callee_outer, but the fill that reads its own inputs comes first.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
static int a[6];
static void fill(int own, int x) { for (int i = 0; i < 6; i++) { int v = own ? in() : x; a[i] = v; } }
int main(void) {
    int i;
    while (in()) {
        if (in()) { fill(1, 0); for (i = 0; i < 6; i++) if (a[i] != a[OK(i, 0)]) reach_error(); }
        else { int x = in(); fill(0, x); for (i = 0; i < 6; i++) if (a[i] != x) reach_error(); }
    }
    return 0;
}
