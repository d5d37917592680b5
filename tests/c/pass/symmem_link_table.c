// Nodes are linked into a table at places that inputs decide, and what is looked up there is what was put there.
// Without interpolation only: then states fork on these places.
// options: --search=dfs
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  unsigned key;
  int count;
};

static struct node *table[8];

static unsigned place(unsigned key) { return ((key * 7) ^ (key >> 3)) % 8; }

static struct node *find(unsigned key) {
  for (struct node *node = table[place(key)]; node; node = node->next)
    if (node->key == key)
      return node;
  return NULL;
}

static void add(unsigned key) {
  struct node *node = find(key);
  if (!node) {
    node = calloc(1, sizeof *node);
    node->key = key;
    node->next = table[place(key)];
    table[place(key)] = node;
  }
  node->count++;
}

int main(void) {
  unsigned char bytes[3];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  klee_assume(bytes[0] >= 'a' & bytes[0] <= 'f');
  klee_assume(bytes[1] >= 'a' & bytes[1] <= 'c');
  klee_assume(bytes[2] >= 'c' & bytes[2] <= 'g');
  unsigned first = bytes[0], second = bytes[1] << 2 | (bytes[2] & 3), third = bytes[2];
  add(first);
  add(second);
  add(third);
  int count = 1 + (first == third) + (first == second);
  assert(find(first)->count == count);
  assert(find(third) && find(second));
  int nodes = 0, used = 0;
  for (unsigned i = 0; i < 8; i++) {
    used += table[i] != NULL;
    for (struct node *node = table[i]; node; node = node->next) {
      assert(place(node->key) == i);
      nodes += node->count;
    }
  }
  assert(nodes == 3);
  printf("%d %d\n", count, used);
  return 0;
}
