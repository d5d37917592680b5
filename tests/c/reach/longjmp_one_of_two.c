// expect: reachable
// Which buffer is jumped through depends on the input, by an index and by a pointer.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static jmp_buf places[2], other;

int main(void) {
  int which = __VERIFIER_nondet_int() & 1;
  jmp_buf *chosen = __VERIFIER_nondet_int() > 5 ? &places[which] : &other;
  if (setjmp(other) != 0 || setjmp(places[0]) != 0)
    return 0;
  if (setjmp(places[1]) != 0)
    reach_error();
  longjmp(*chosen, 1);
}
