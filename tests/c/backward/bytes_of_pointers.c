// A pointer that is put together from its bytes.
#include <string.h>

void hit(void) {}

static unsigned char bytes[sizeof(int *)];
static void f(void) {
  int *p;
  for (unsigned i = 0; i < sizeof p; i++)
    ((unsigned char *)&p)[i] = bytes[i];
  if (*p == 3)
    hit(); // reachable
}
int main(void) {
  int x = 3, *p = &x;
  memcpy(bytes, &p, sizeof p);
  f();
  return 0;
}
