// expect: reachable
// expect with -DSAFE: unreachable
// Two bytes in the middle of an element are cleared.
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
    int a[64], n = in(), i = 0;
    if (n < 0 || n > 64) return 0;
    for (i = 0; i < n; i++) a[i] = 0x01010101;
    memset((char *)a + 21, OK(1, 2), 2);
    for (i = 0; i < n; i++) if (a[i] > 0x01010101) reach_error();
    return 0;
}
