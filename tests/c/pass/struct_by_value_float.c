// Tests structs with floating-point members passed by value (vector and mixed classes).
// paths: 1
#include <assert.h>

struct f2 {
  float x, y;
};
struct mixed {
  double d;
  long n;
};
struct f3 {
  float x, y, z;
};

static struct f2 flip(struct f2 v) { return (struct f2){v.y, v.x}; }
static struct mixed step(struct mixed m) { return (struct mixed){m.d * 2, m.n + 1}; }
static float sum(struct f3 v) { return v.x + v.y + v.z; }

int main(void) {
  struct f2 a = flip((struct f2){1.5f, -2.0f});
  assert(a.x == -2.0f);
  assert(a.y == 1.5f);
  struct mixed m = step((struct mixed){1.25, 41});
  assert(m.d == 2.5);
  assert(m.n == 42);
  assert(sum((struct f3){1, 2, 4}) == 7);
  return 0;
}
