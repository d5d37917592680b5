// Another thread changes what the function has just set.
#include <pthread.h>

void hit(void) {}

static _Atomic int flag;
static void *other(void *nothing) {
  flag = 1;
  return nothing;
}
static void f(void) {
  flag = 0;
  if (flag)
    hit(); // reachable
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  f();
  return 0;
}
