// Tests an index equal to the length of a variable-length array.
// paths: 0

static int last(int n) {
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  int *p = a;
  return p[n]; //~ ptr: out of bounds
}

int main(void) { return last(5); }
