// expect: reachable
// expect with -DSAFE: unreachable
// One of two structs, the other one after many rounds, each with a pointer to the other.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
struct s { struct s *other; int v; };
int main(void) {
    struct s a = {0, 0}, b = {0, 0};
    struct s *at = &a;
    int n = 0;
    a.other = &b; b.other = OK(&a, &b);
    while (in()) {
        at->v = n & 1;
        n = n < 30 ? n + 1 : 0;
        if (n == 25) at = at->other;
        if (n == 26) at = at->other;
        if (n == 27 && at == &b) reach_error();
        if (n == 28) at = &a;
    }
    return 0;
}
