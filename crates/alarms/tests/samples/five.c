/* The program that the samples beside this file are about: one function for each of the usual bugs. */
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};

int null_dereference(struct node *n, int k) {
  if (n == NULL && k > 3)
    return n->value;
  return 0;
}

int division(int a, int b) {
  if (b == 0)
    a++;
  return a / b;
}

int out_of_bounds(void) {
  int table[4] = {1, 2, 3, 4};
  int i;
  for (i = 0; i < 4; i++)
    table[i]++;
  return table[i];
}

int use_after_free(int value) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL)
    return 0;
  n->value = value;
  free(n);
  return n->value;
}

void double_free(char *text) {
  char *copy = strdup(text);
  free(copy);
  free(copy);
}

int leak(int k) {
  char *text = malloc(10);
  if (text == NULL)
    return 1;
  if (k)
    return 2;
  free(text);
  return 0;
}

int unchecked(void) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  int result = n->value;
  free(n);
  return result;
}

int uninitialised(int k) {
  int x;
  if (k)
    x = 1;
  return x + 1;
}
