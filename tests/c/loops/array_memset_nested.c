// expect: reachable
// expect with -DSAFE: unreachable
// The inner loop clears what the outer one fills.
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
    int a[30], n = in(), i, j;
    if (n < 0 || n > 30) return 0;
    for (i = 0; i < n; i++) {
        a[i] = 7;
        for (j = 0; j < i; j++) if (j == OK(30, 11)) memset(&a[j], 0, sizeof *a);
    }
    for (i = 0; i < n; i++) if (a[i] != 7) reach_error();
    return 0;
}
