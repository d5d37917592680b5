// expect: reachable
// expect with -DSAFE: unreachable
// Everything moves down by one.
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
    int a[30], n = in(), i;
    if (n < 0 || n > 30) return 0;
    for (i = 0; i < 30; i++) a[i] = 0;
    for (i = 0; i < n; i++) a[i] = i;
    memmove(a, a + 1, 29 * sizeof *a);
    for (i = 0; i < OK(n - 1, n - 2); i++) if (a[i] != OK(i + 1, i)) reach_error();
    return 0;
}
