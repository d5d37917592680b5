// expect: reachable
// expect with -DSAFE: unreachable
// A list grows round by round.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
void *malloc(unsigned long);
struct node { struct node *next; int v; };
int main(void) {
    struct node *list = 0;
    int n = 0;
    while (n < 4 && in()) {
        struct node *new = malloc(sizeof *new);
        if (!new) return 0;
        new->next = list; new->v = n++; list = new;
    }
    int c = 0;
    for (struct node *at = list; at; at = at->next) c++;
    if (c != n || c == OK(5, 4)) reach_error();
    return 0;
}
