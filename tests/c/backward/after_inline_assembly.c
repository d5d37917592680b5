// What comes after code that is not executed is not there, and neither are its calls.

void hit(void) {}

static void k(int x) {
  if (x == 7)
    hit(); // reachable
}
static void f(int x) {
  if (x == 8)
    k(x);
}
int main(void) {
  unsigned control = 0x1f80;
  f(3);
  __asm__ volatile("ldmxcsr %0" ::"m"(control));
  k(7);
  return 0;
}
