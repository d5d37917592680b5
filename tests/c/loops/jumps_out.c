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
#include <setjmp.h>
static jmp_buf out;
static int deep;
static void work(int x) { if (x == OK(10, 5)) { deep = x; longjmp(out, 1); } }
int main(void) {
    volatile int x = 0;
    if (setjmp(out)) { if (deep == 5) reach_error(); return 0; }
    while (in()) { work(x); if (x < 8) x = x + 1; }
    return 0;
}
