// The function is on the stack more than once.

void hit(void) {}

static int depth;
static void f(int x) {
  if (x > 0 && x < 5) {
    depth++;
    f(x - 1);
  }
  if (depth == 3 && x == 1)
    hit(); // reachable
  if (x < 2 && x > 3)
    hit(); // unreachable
}
int main(void) {
  f(3);
  return 0;
}
