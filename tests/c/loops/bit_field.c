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
struct f { unsigned a : 3, b : 5; };
int main(void) {
    struct f f = {0, 0};
    while (in()) { f.a++; f.b += OK(8, 4); if ((f.b & 7) == 4) reach_error(); }
    return 0;
}
