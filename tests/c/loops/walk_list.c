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
struct node { struct node *next; int v; };
int main(void) {
    struct node c = {0, OK(1, 3)}, b = {&c, 2}, a = {&b, 1};
    struct node *at = &a;
    while (at) { if (at->v == 3) reach_error(); at = in() ? at->next : at; }
    return 0;
}
