// What is not executed may call any function.

void hit(void) {}

static void k(int x) {
  if (x == 7)
    hit(); // reachable
}
static void f(int x) {
  if (x == 8)
    k(x);
}
static void g(void) {
  __asm__ volatile("call *%0" ::"r"(k), "D"(7) : "memory", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11");
}
int main(void) {
  f(3);
  g();
  return 0;
}
