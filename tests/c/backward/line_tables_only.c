// Functions have places, globals do not.
// cc: -gline-tables-only

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
