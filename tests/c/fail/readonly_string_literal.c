// Tests writing to a string literal.
// paths: 0

int main(void) {
  char *s = (char *)"immutable";
  s[0] = 'I'; //~ read_only: write to read-only memory
  return 0;
}
