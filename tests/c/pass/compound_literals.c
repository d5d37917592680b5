// Tests compound literals at file scope and block scope, and designated initialisers.
// paths: 1
#include <assert.h>
#include <klee/klee.h>

struct p {
  int x, y, z;
};
static int *numbers = (int[]){4, 5, 6};
static const struct p *origin = &(const struct p){.z = 9};

static int dot(const struct p *a, const struct p *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

int main(void) {
  int k = klee_range(-9, 10, "k");
  assert(numbers[1] == 5);
  assert(origin->x == 0 && origin->z == 9);
  assert(dot(&(struct p){.y = k, .x = 1}, &(struct p){2, 3, 4}) == 2 + 3 * k);
  int sparse[8] = {[6] = k, [1] = 2};
  assert(sparse[6] == k && sparse[0] == 0 && sparse[7] == 0);
  return 0;
}
