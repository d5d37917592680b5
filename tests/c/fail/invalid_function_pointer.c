// Tests a call through a pointer to data.
// paths: 0

static int data[4] = {1, 2, 3, 4};

static int call(void *p) {
  int (*f)(void) = (int (*)(void))p;
  return f(); //~ ptr: invalid function pointer
}

int main(void) { return call(data); }
