// Tests a table of label differences (constant subtraction of block addresses).
// paths: 1
#include <assert.h>

static int run(const unsigned char *code) {
  static const int jump[] = {&&stop - &&stop, &&inc - &&stop, &&twice - &&stop};
  int v = 0;
next:
  goto *(&&stop + jump[*code++]);
inc:
  v++;
  goto next;
twice:
  v *= 2;
  goto next;
stop:
  return v;
}

int main(void) {
  static const unsigned char code[] = {1, 2, 2, 1, 0};
  assert(run(code) == 5);
  return 0;
}
