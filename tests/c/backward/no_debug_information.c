// Globals of which nothing is said where they are.
// cc: -g0

void hit(void) {}

static int mode;
static void f(int x) {
  if (mode == 2 && x == 5)
    hit(); // reachable
}
int main(void) {
  mode = 2;
  f(5);
  return 0;
}
