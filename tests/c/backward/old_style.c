// A function without a prototype gets other types than it takes.
// cc: -std=gnu89

void hit(void) {}

static void f();
int main(void) {
  f(300, 2);
  return 0;
}
static void f(c) char c;
{
  if (c == 44)
    hit(); // reachable
  if (c == 300)
    hit(); // unreachable
}
