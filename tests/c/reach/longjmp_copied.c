// expect: reachable
// The buffer is a copy of one of two, and in an object of any size.
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  jmp_buf places[2];
  unsigned size = __VERIFIER_nondet_uint();
  if (size < sizeof(jmp_buf) || size > 4096)
    return 0;
  jmp_buf *copy = malloc(size);
  if (copy == NULL || setjmp(places[0]) != 0)
    return 0;
  if (setjmp(places[1]) != 0)
    reach_error();
  memcpy(copy, &places[__VERIFIER_nondet_int() & 1], sizeof *copy);
  longjmp(*copy, 1);
}
