// Tests a read through an integer constant that is no object's address.
// paths: 0

int main(void) {
  int *p = (int *)0x1234;
  return *p; //~ ptr: invalid pointer
}
