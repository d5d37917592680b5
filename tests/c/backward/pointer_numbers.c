// Objects and functions have other addresses in real runs than here.

#include <stdint.h>
#include <stdlib.h>

void hit(void) {}

struct holder {
  int *first, *second;
};
static int g1, g2, called;
static void callback(void) { called = 1; }
static void high_bits(int *p) {
  if ((uintptr_t)p >> 48 == 0 && p == &g1)
    hit(); // reachable
}
static void high_bits_by_switch(int *p) {
  switch ((uintptr_t)p >> 60) {
  case 0:
    break;
  default:
    return;
  }
  g1 = 0;
  *p = 1;
  if (p == &g1 && g1 == 1)
    hit(); // reachable
}
static void of_a_function(void (*function)(void)) {
  if ((uintptr_t)function >> 48)
    return;
  called = 0;
  function();
  if (called)
    hit(); // reachable
}
static void after_the_call(void (*function)(void), uint64_t number) {
  called = 0;
  function();
  if (called && (uintptr_t)function >> 48 == 0)
    hit(); // reachable
  ((void (*)(void))number)();
  if (number < (uint64_t)1 << 48)
    hit(); // reachable
}
static void in_order(int *p, int *q) {
  if (p < q && p == &g1 && q == &g2)
    hit(); // reachable
  if (p < q && p == &g2 && q == &g1)
    hit(); // reachable
}
static void as_a_number(uint64_t x) {
  if (x < (uint64_t)1 << 48 && (int *)x == &g1)
    hit(); // reachable
  if ((int *)x == &g1 && x < (uint64_t)1 << 48)
    hit(); // reachable
}
static void in_memory(struct holder *holder) {
  if (*(uint64_t *)holder >> 48 == 0 && holder->first == &g2)
    hit(); // reachable
}
static void of_the_heap(int **slot, int **other) {
  int *mine = malloc(sizeof *mine);
  if (!mine)
    return;
  *slot = mine;
  int *theirs = *other;
  if ((uintptr_t)theirs < 0x800000000000u && theirs == mine)
    hit(); // reachable
}
static void freed_by_another(int **slot, int **other) {
  int *mine = malloc(sizeof *mine);
  if (!mine)
    return;
  *slot = mine;
  free(*other);
  *mine = 3; // freed: reachable
}
int main(void) {
  struct holder holder = {&g2, &g1};
  int *slot = 0, *near, *far;
  high_bits(&g1);
  high_bits_by_switch(&g1);
  of_a_function(callback);
  after_the_call(callback, (uintptr_t)callback);
  in_order(&g1, &g2);
  in_order(&g2, &g1);
  as_a_number((uintptr_t)&g1);
  in_memory(&holder);
  of_the_heap(&slot, &slot);
  freed_by_another(&slot, &slot);
  return 0;
}
