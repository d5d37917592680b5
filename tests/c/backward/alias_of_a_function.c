// A function with a second name.

void hit(void) {}

static void k(int x) {
  if (x == 7)
    hit(); // reachable
}
void f(int x) {
  if (x == 8)
    k(x);
}
void real(int x) { k(x); }
void other(int x) __attribute__((alias("real")));
int main(void) {
  f(3);
  other(7);
  return 0;
}
