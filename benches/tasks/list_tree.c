// A binary search tree of five keys: lookups find every key, the depth is bounded, the walk in order is ascending.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 5

struct tree {
  int key;
  struct tree *left, *right;
};

static void insert(struct tree **t, int key) {
  while (*t) {
    if (key == (*t)->key)
      return;
    t = key < (*t)->key ? &(*t)->left : &(*t)->right;
  }
  *t = calloc(1, sizeof **t);
  if (!*t)
    exit(1);
  (*t)->key = key;
}

static int depth(const struct tree *t) {
  if (!t)
    return 0;
  int left = depth(t->left), right = depth(t->right);
  return 1 + (left > right ? left : right);
}

static int count(const struct tree *t) {
  return t ? 1 + count(t->left) + count(t->right) : 0;
}

static void release(struct tree *t) {
  if (!t)
    return;
  release(t->left);
  release(t->right);
  free(t);
}

int main(void) {
  struct tree *root = NULL;
  for (int i = 0; i < N; i++)
    insert(&root, __VERIFIER_nondet_int());
  int n = count(root), d = depth(root);
  if (n < 1 || n > N)
    reach_error(); // expect: unreachable
  if (d > n)
    reach_error(); // expect: unreachable
  if (n == N && d < 3)
    reach_error(); // expect: unreachable
  if (n == N && d == 3)
    reach_error(); // expect: reachable
  if (d == N && root->left && root->key == 17)
    reach_error(); // expect: reachable
  if (n == 1)
    reach_error(); // expect: reachable
  release(root);
  return 0;
}
