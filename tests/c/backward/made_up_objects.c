// What is made up behind a pointer is not all that can be there.

void hit(void) {}

struct node {
  int value;
  struct node *next;
};
static void f(struct node *n) {
  if (n->next == n)
    hit(); // reachable
  if (n->next && n->next->next == n && n->next != n)
    hit(); // reachable
}
static void g(int *numbers, int count) {
  if (count > 6 && numbers[count - 1] == 2)
    hit(); // reachable
}
int main(void) {
  struct node a = {1, &a}, b = {2, 0}, c = {3, &b};
  b.next = &c;
  f(&a);
  f(&b);
  int numbers[8] = {[7] = 2};
  g(numbers, 8);
  return 0;
}
