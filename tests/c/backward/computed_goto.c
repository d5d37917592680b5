// Jumps to labels whose addresses are taken.

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
  void *labels[] = {&&end, &&call};
  f(3);
  goto *labels[1];
call:
  k(7);
end:
  return 0;
}
