// Structures are copied to functions and back, with pointers in them.

void hit(void) {}

struct s {
  int a, b, c, d, e;
  int *p;
};
static int g = 7;
static void k(struct s s) {
  if (s.a == 7 && *s.p == 7)
    hit(); // reachable
  if (s.b == 2 && s.b == 3)
    hit(); // unreachable
}
static struct s f(struct s s) {
  s.a++;
  k(s);
  return s;
}
int main(void) {
  struct s s = {6, 2, 3, 4, 5, &g};
  s = f(s);
  return 0;
}
