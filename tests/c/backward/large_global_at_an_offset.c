// A global that is too large to be a symbol, read at an index that is one.

void hit(void) {}

static int table[2000];
static void f(unsigned index) {
  if (index < 2000 && table[index] == 2)
    hit(); // reachable
}
int main(void) {
  table[1] = 2;
  f(1);
  return 0;
}
