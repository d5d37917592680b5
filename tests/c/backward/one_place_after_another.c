// A place behind another one, and one that only its own conditions keep apart.

void hit(void) {}

static void f(int x) {
  hit(); // reachable
  if (x == 7)
    hit(); // reachable
  if (x > 7 && x < 8)
    hit(); // unreachable
}
static void g(int x) {
  if (x < 20)
    f(x);
}
int main(void) {
  g(7);
  return 0;
}
