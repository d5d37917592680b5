// Tests a read from a local of a function that has returned.
// paths: 0

static int *escape(int v) {
  int local[2] = {v, v + 1};
  int *p = local;
  return p;
}

int main(void) {
  int *p = escape(3);
  return *p; //~ ptr: use after return
}
