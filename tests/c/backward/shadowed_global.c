// A parameter with the name of a global, and the global itself in what the function calls.

void hit(void) {}

static int limit;
static void check(int x) {
  if (x != limit)
    hit(); // reachable
}
static void f(int limit) { check(limit); }
int main(void) {
  f(3);
  return 0;
}
