// Concrete benchmark: quicksort and heapsort of pseudo-random data; prints a checksum.
// stdout: sort 88a48b2c880057a5
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 16
#endif
#define COUNT 100000

static uint32_t state = 12345;
static uint32_t next(void) {
  state = state * 1103515245u + 12345u;
  return state >> 8;
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t t = *a;
  *a = *b;
  *b = t;
}

static void quicksort(uint32_t *a, int lo, int hi) {
  while (lo < hi) {
    uint32_t pivot = a[lo + (hi - lo) / 2];
    int i = lo, j = hi;
    while (i <= j) {
      while (a[i] < pivot)
        i++;
      while (a[j] > pivot)
        j--;
      if (i <= j)
        swap(&a[i++], &a[j--]);
    }
    if (j - lo < hi - i) {
      quicksort(a, lo, j);
      lo = i;
    } else {
      quicksort(a, i, hi);
      hi = j;
    }
  }
}

static void sift(uint32_t *a, int root, int n) {
  for (int child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && a[child] < a[child + 1])
      child++;
    if (a[root] >= a[child])
      return;
    swap(&a[root], &a[child]);
  }
}

static void heapsort_(uint32_t *a, int n) {
  for (int i = n / 2 - 1; i >= 0; i--)
    sift(a, i, n);
  for (int i = n - 1; i > 0; i--) {
    swap(&a[0], &a[i]);
    sift(a, 0, i);
  }
}

static uint64_t digest(const uint32_t *a, int n, uint64_t h) {
  for (int i = 0; i < n; i++) {
    if (i > 0 && a[i - 1] > a[i])
      abort();
    h = (h ^ a[i]) * 0x100000001b3ull;
  }
  return h;
}

int main(void) {
  uint32_t *a = malloc(COUNT * sizeof *a);
  uint64_t sum = 1;
  for (int round = 0; round < SCALE; round++) {
    for (int i = 0; i < COUNT; i++)
      a[i] = next();
    if (round % 2)
      heapsort_(a, COUNT);
    else
      quicksort(a, 0, COUNT - 1);
    sum = digest(a, COUNT, sum);
  }
  free(a);
  printf("sort %016llx\n", (unsigned long long)sum);
  return 0;
}
