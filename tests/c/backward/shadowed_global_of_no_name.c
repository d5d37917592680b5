// Without names of parameters they are called arg0 and so on, as this global is.
// cc: -g0

void hit(void) {}

int arg0;
static void check(int x) {
  if (x != arg0)
    hit(); // reachable
}
static void f(int x) { check(x); }
int main(void) {
  f(3);
  return 0;
}
