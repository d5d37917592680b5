// Functions that the loader calls.

void hit(void) {}

static void k(int x) {
  if (x == 7)
    hit(); // reachable
}
static void f(int x) {
  if (x == 8)
    k(x);
}
static void early(void) { k(7); }
__attribute__((section(".init_array"), used)) static void (*pointer)(void) = early;
int main(void) {
  f(3);
  return 0;
}
