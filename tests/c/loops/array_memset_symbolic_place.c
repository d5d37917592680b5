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
#include <string.h>
int main(void) {
    int a[20];
    int n = in(), k = in(), i;
    if (n < 0 || n > 20 || k < 0 || k > 19) return 0;
    for (i = 0; i < n; i++) a[i] = 0;
    memset(a + k, OK(0, 1), sizeof *a);
    for (i = 0; i < n; i++) if (a[i] != 0) reach_error();
    return 0;
}
