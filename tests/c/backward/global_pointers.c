// Pointers in globals that the caller set.

void hit(void) {}

static int *kept;
static int (*function)(int);
static int eight(int x) { return x + 8; }
static int nine(int x) { return x + 9; }
static void f(void) {
  if (*kept == 3)
    hit(); // reachable
  if (function(1) == 10)
    hit(); // reachable
  if (function != eight)
    hit(); // reachable
}
int main(void) {
  int x = 3;
  kept = &x;
  function = eight;
  function = nine;
  f();
  return 0;
}
