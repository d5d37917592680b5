// expect: reachable
// expect with -DSAFE: unreachable
// A function fills an array with an input of its own or one that was read before, inside of a loop.
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
        if (in()) { int x = in(); fill(0, x); for (i = 0; i < 6; i++) if (a[i] != x) reach_error(); }
        else { fill(1, 0); for (i = 0; i < 6; i++) if (a[i] != a[OK(i, 0)]) reach_error(); }
    }
    return 0;
}
