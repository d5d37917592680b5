// The addresses of locals depend on who calls.

void hit(void) {}

static unsigned long last;
static void f(int x) {
  int local = x;
  if (last && (unsigned long)&local < last)
    hit(); // reachable
  last = (unsigned long)&local;
}
static void g(void) {
  int more[10] = {1};
  f(more[0]);
}
int main(void) {
  f(1);
  g();
  return 0;
}
