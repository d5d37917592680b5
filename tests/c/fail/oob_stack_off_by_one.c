// Tests the classic off-by-one loop over a stack array.
// paths: 0

int main(void) {
  int a[8];
  for (int i = 0; i <= 8; i++)
    a[i] = i; //~ ptr: out of bounds
  return a[0];
}
