// What can be proved of functions that are given pointers, and what cannot.

void hit(void) {}

#include <stdlib.h>

struct node {
  int kind, size;
  struct node *next;
  char *text;
  int large[20000];
};
static int limit;
static int clamp(struct node *n) {
  int size = n->size;
  if (size < 0)
    size = 0;
  if (size > 9)
    size = 9;
  return size;
}
static void show(struct node *n) {
  int size = clamp(n);
  if (size > 9 || size < 0)
    hit(); // unreachable, cut
  if (n->next && n->next->kind == 3 && n->next->kind != 3)
    hit(); // unreachable, cut
  if (n->next == n)
    hit(); // reachable
}
static void far_away(struct node *n) {
  if (n->large[19999] == 3)
    hit(); // reachable
}
static void below(struct node *n) {
  if ((n - 1)->kind == 2)
    hit(); // reachable
}
static void text(struct node *n) {
  if (n->text[0] == 'a' && n->text[1] == 'b')
    hit(); // reachable
  if (n->text[0] == 'a' && n->text[0] == 'b')
    hit(); // unreachable, cut
}
static void frees(struct node *n) {
  char *old = n->text;
  free(old);
  n->text = 0;
  if (n->text)
    hit(); // unreachable, cut
  if (limit == 4)
    hit(); // reachable
}
static void made(struct node *n) {
  int *p = malloc(sizeof *p);
  if (!p)
    return;
  *p = 4;
  n->kind = 5;
  if (*p != 4)
    hit(); // unreachable, cut
  free(p);
}
int main(void) {
  static struct node a[2];
  a[0] = (struct node){1, 2, &a[0], malloc(3)};
  a[0].kind = 2;
  a[0].text[0] = 'a';
  a[0].text[1] = 'b';
  a[1].large[19999] = 3;
  show(&a[0]);
  far_away(&a[1]);
  below(&a[1]);
  text(&a[0]);
  limit = 4;
  frees(&a[0]);
  made(&a[1]);
  return 0;
}
