// Calls through pointers that pass something else than the function takes.

void hit(void) {}

static void k(int x) {
  if (x == 7)
    hit(); // reachable
}
static int f(long x) {
  k((int)x);
  return 0;
}
static void g(int x) {
  if (x == 8)
    k(x);
}
int main(void) {
  void (*call)(long, long) = (void (*)(long, long))f;
  g(3);
  call(7, 8);
  return 0;
}
