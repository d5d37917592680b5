// expect: reachable
// expect with -DSAFE: unreachable
// All is cleared between where the facts were learnt and where the array is read.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
#include <string.h>
int main(void) {
    int a[100], n = in(), i = 0;
    if (n < 0 || n > 100) return 0;
    for (i = 0; i < n; i++) a[i] = 7;
    memset(a, OK(7, 0), OK(0, sizeof a));
    for (i = 0; i < n; i++) if (a[i] != 7) reach_error();
    return 0;
}
