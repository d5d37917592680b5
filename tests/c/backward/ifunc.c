// A function that a resolver chooses.

void hit(void) {}

static int k(int x) {
  if (x == 7)
    hit(); // reachable
  return 0;
}
static int f(int x) { return x == 8 ? k(x) : 0; }
static int (*resolve(void))(int) { return k; }
int chosen(int) __attribute__((ifunc("resolve")));
int main(void) {
  f(3);
  return chosen(7);
}
