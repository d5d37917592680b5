// Tests a struct of which one member is not set before it is used by a callee.
// options: --check-uninit
// symbolic-only

struct conf {
  int size;
  int flags;
};

static int use(const struct conf *c) {
  int n = c->size;
  if (c->flags & 1) //~ uninit: uninitialised read
    n++;
  return n;
}

int main(void) {
  struct conf c;
  c.size = 3;
  return use(&c) > 4;
}
