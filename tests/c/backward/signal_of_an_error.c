// A handler that the caller installed runs when the function fails.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

void hit(void) {}

static void k(int x) {
  if (x == SIGABRT)
    hit(); // reachable
}
static void handler(int signal) {
  k(signal);
  _exit(0);
}
static void f(void) { abort(); }
int main(void) {
  signal(SIGABRT, handler);
  f();
  return 0;
}
