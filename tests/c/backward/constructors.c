// What runs before the program and after it calls functions and sets globals.

void hit(void) {}

static int state;
static void k(int x) {
  if (x == 7)
    hit(); // reachable
  if (x == 9)
    hit(); // unreachable
}
static void f(void) {
  if (state == 8)
    k(state);
}
__attribute__((constructor)) static void first(void) { state = 7; }
__attribute__((destructor)) static void last(void) {
  if (state != 9)
    k(state);
}
int main(void) {
  f();
  return 0;
}
