// Tests a write past memory from alloca.
// paths: 0

int main(void) {
  int n = 6;
  char *p = __builtin_alloca((unsigned long)n);
  for (int i = 0; i < n + 1; i++)
    p[i] = 0; //~ ptr: out of bounds
  return 0;
}
