// Fig. 4 in another spelling: what f is given comes in an object that is passed by its address, f
// is called through a pointer, and pointers walk through the bits and the numbers.
// The target is the assertion in f: m is 37, and no bit of n adds to the sum.
// expect: reachable
#include <assert.h>
#include <klee/klee.h>

#define NUMBERS 1000

struct input {
  int m;
  char bits[6];
};

typedef void handler(const struct input *);

static volatile int work;

static void f(const struct input *input) {
  int sum = 0;
  for (const char *bit = input->bits; bit < input->bits + sizeof input->bits; bit++)
    sum += *bit ? 2 : 0;
  while (1) {
    if (input->m == 37 && sum == 0)
      assert(0);
  }
}

static void skip(const struct input *input) {
  work += input->bits[0];
}

static void g(const struct input *input) {
  static handler *handlers[] = {skip, f};
  for (int i = 0; i < NUMBERS; i++)
    handlers[input->m == i](input);
}

int main(void) {
  struct input input;
  klee_make_symbolic(&input, sizeof input, "input");
  for (int i = 0; i < 10000; i++)
    work++;
  if (input.m >= 30)
    g(&input);
  return 0;
}
