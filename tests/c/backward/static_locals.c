// A local that outlives its call.

void hit(void) {}

static void f(int x) {
  static int calls;
  calls++;
  if (x == 1 && calls == 3)
    hit(); // reachable
  if (calls == 3 && calls == 4)
    hit(); // unreachable
}
int main(void) {
  for (int i = 3; i > 0; i--)
    f(i);
  return 0;
}
