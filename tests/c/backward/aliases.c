// Two parameters lead to one object, and one to a global that is read by its name.

void hit(void) {}

static int g;
static int *kept;
static void f(int *p, int *q) {
  *p = 1;
  *q = 2;
  if (*p == 2)
    hit(); // reachable
  g = 3;
  *p = 4;
  if (g == 4)
    hit(); // reachable
  if (g == 5)
    hit(); // unreachable
  *kept = 6;
  if (*p == 6)
    hit(); // reachable
}
int main(void) {
  int x;
  kept = &x;
  f(&x, &x);
  f(&g, &x);
  return 0;
}
