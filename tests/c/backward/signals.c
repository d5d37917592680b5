// A handler changes what the function has just set.
#include <signal.h>

void hit(void) {}

static volatile sig_atomic_t flag;
static void handler(int signal) { flag = 1; }
static void f(void) {
  flag = 0;
  if (flag)
    hit(); // reachable
}
int main(void) {
  signal(SIGALRM, handler);
  f();
  return 0;
}
