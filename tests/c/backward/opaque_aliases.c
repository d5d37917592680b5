// What a write through one pointer does to what others lead to, whatever was read there before.

#include <string.h>

void hit(void) {}

struct pair {
  int first, second;
  struct pair *other;
};
static int g;
static struct pair whole;
static void twice(struct pair *a, struct pair *b) {
  int before = a->first;
  b->first = before + 1;
  if (a->first != before)
    hit(); // reachable
  b->second = 3;
  if (b->second != 3)
    hit(); // unreachable, cut
  if (a->other && a->other->other) {
    a->other->other->second = 4;
    if (b->second == 4)
      hit(); // reachable
  }
}
static void global(int *p) {
  int before = *p;
  g = before + 1;
  if (*p != before)
    hit(); // reachable
  g = 5;
  *p = 6;
  if (g == 6)
    hit(); // reachable
  if (g != 5 && g != 6)
    hit(); // unreachable
}
static void copies(struct pair *a, struct pair *b, struct pair *c) {
  a->second = 1;
  *b = *c;
  if (a->second == 2)
    hit(); // reachable
  a->second = 1;
  memset(b, 0, sizeof *b);
  if (a->second == 0)
    hit(); // reachable
  if (a->second == 3)
    hit(); // unreachable
}
static void elements(int *p, int i, int j) {
  p[i & 3] = 1;
  p[j & 3] = 2;
  if (p[i & 3] == 2)
    hit(); // reachable
  if (p[j & 3] != 2)
    hit(); // unreachable, cut
}
static void around(int *second) {
  struct pair *pair = (struct pair *)((char *)second - sizeof(int));
  int before = pair->first;
  whole.first = before + 1;
  if (pair->first != before)
    hit(); // reachable
}
int main(void) {
  struct pair a = {1, 2, &a}, b = {3, 4, 0};
  int numbers[4] = {0};
  twice(&a, &b);
  twice(&a, &a);
  global(&numbers[0]);
  global(&g);
  copies(&a, &b, &(struct pair){.second = 2});
  copies(&a, &a, &(struct pair){.second = 2});
  elements(numbers, 1, 1);
  around(&whole.second);
  return 0;
}
