// A global that is too large to be a symbol, read by an assignment, in part and as a whole.

void hit(void) {}

struct large {
  char bytes[70000];
};
static struct large one;
static void f(void) {
  struct large copy = one;
  if (copy.bytes[3])
    hit(); // reachable
}
int main(void) {
  one.bytes[3] = 1;
  f();
  return 0;
}
