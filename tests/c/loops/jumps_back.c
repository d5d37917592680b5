// expect: reachable
// expect with -DSAFE: unreachable
// The loop is one of longjmp.
extern void reach_error(void);
#define in() __VERIFIER_nondet_int()
extern int __VERIFIER_nondet_int(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
#include <setjmp.h>
static jmp_buf again;
static int n;
int main(void) {
    setjmp(again);
    n = n < OK(3, 6) ? n + 1 : n;
    if (n == 5) reach_error();
    if (in()) longjmp(again, 1);
    return 0;
}
