// expect: reachable
// expect with -DSAFE: unreachable
// An array that is made in each round of the outer loop; what an earlier one held says nothing.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
#include <stdlib.h>
int main(void) {
    int n = in(), i, k = 0;
    if (n < 1 || n > 12) return 0;
    while (in()) {
        int *p = malloc(12 * sizeof *p);
        if (!p) return 0;
        for (i = 0; i < OK(n, k == 2 ? n - 1 : n); i++) p[i] = 4;
        if (OK(0, k == 2)) p[n - 1] = 5;
        for (i = 0; i < n; i++) if (p[i] != 4) reach_error();
        free(p);
        k++;
        if (k == 4) k = 0;
    }
    return 0;
}
