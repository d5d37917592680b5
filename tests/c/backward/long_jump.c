// A jump out of a function leaves its chain of calls.
#include <setjmp.h>

void hit(void) {}

static jmp_buf out;
static int state;
static void k(int x) {
  if (x == 7)
    hit(); // reachable
}
static void f(int x) {
  state = x;
  longjmp(out, 1);
}
int main(void) {
  if (setjmp(out)) {
    k(state);
    return 0;
  }
  f(7);
  return 0;
}
