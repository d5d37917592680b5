// Tests a read through a null pointer.
// paths: 0

static int get(const int *p) {
  return *p; //~ ptr: null pointer
}

int main(void) { return get(0); }
