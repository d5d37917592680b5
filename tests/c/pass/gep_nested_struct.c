// Tests address computation through nested structs and arrays of structs.
// paths: 1
#include <assert.h>
#include <stddef.h>

struct inner {
  char tag;
  short v[3];
  double d;
};
struct outer {
  int id;
  struct inner in[2];
  char tail;
};

int main(void) {
  struct outer o[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 3; k++)
        o[i].in[j].v[k] = (short)(100 * i + 10 * j + k);
  assert(o[2].in[1].v[2] == 212);
  struct inner *p = &o[1].in[1];
  assert(p->v[0] == 110);
  assert(p[-1].v[1] == 101);
  assert((char *)&o[1].in[1].v[2] - (char *)&o[1] ==
         (ptrdiff_t)(offsetof(struct outer, in) + sizeof(struct inner) + offsetof(struct inner, v) + 4));
  return 0;
}
