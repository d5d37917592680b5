// expect: reachable
// expect with -DSAFE: unreachable
// The array is cleared in the loop, when an input says so.
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
    char a[50];
    int n = in(), i;
    if (n < 0 || n > 50) return 0;
    for (i = 0; i < n; i++) {
        a[i] = 7;
        if (in() == 77) memset(a + 2, OK(7, 6), 2);
    }
    for (i = 0; i < n; i++) if (a[i] != 7) reach_error();
    return 0;
}
