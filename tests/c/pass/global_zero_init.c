// Tests that static storage without an initialiser starts as zero, and tentative definitions merge.
// paths: 1
#include <assert.h>

int tentative;
static char buf[100];
static struct {
  void *p;
  double d;
  int n[3];
} z;
int tentative;
static int partial[6] = {1, 2};

int main(void) {
  for (int i = 0; i < 100; i++)
    assert(buf[i] == 0);
  assert(z.p == 0 && z.d == 0 && z.n[2] == 0);
  assert(tentative == 0);
  assert(partial[1] == 2 && partial[5] == 0);
  return 0;
}
