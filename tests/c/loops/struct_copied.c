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
struct s { int a, b; };
int main(void) {
    struct s x = {0, 0}, y = {0, 0};
    while (in()) {
        y.a = x.a; y.b = x.b + 1;
        x = y;
        if (in()) { x.a += OK(1, 2); }
        else x.b = x.a;
        if (x.a == 2 && OK(x.b == x.a + 1 && x.a != 2, x.b == 1)) reach_error();
        if (x.a > 40 || x.b > 40) { x.a = x.b = 0; }
    }
    return 0;
}
