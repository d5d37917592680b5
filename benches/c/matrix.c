// Concrete benchmark: integer and double matrix multiplication; prints a checksum.
// stdout: matrix 03677bd0 -8531292
#include <stdint.h>
#include <stdio.h>

#ifndef SCALE
#define SCALE 130
#endif
#define N 96

static uint32_t ia[N][N], ib[N][N], ic[N][N];
static double da[N][N], db[N][N], dc[N][N];

static void multiply_int(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      uint32_t s = 0;
      for (int k = 0; k < N; k++)
        s += ia[i][k] * ib[k][j];
      ic[i][j] = s;
    }
}

static void multiply_double(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int k = 0; k < N; k++)
        s += da[i][k] * db[k][j];
      dc[i][j] = s;
    }
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      ia[i][j] = (uint32_t)(i * 7 + j * 3 + 1);
      ib[i][j] = (uint32_t)(i ^ j);
      da[i][j] = (i - j) / 8.0;
      db[i][j] = (i + j) / 16.0;
    }
  uint32_t isum = 0;
  double dsum = 0;
  for (int round = 0; round < SCALE; round++) {
    if (round % 2) {
      multiply_double();
      dsum += dc[round % N][round * 5 % N];
      da[round % N][0] += 0.5;
    } else {
      multiply_int();
      isum = isum * 31 + ic[round % N][round * 5 % N];
      ia[0][round % N] = isum;
    }
  }
  printf("matrix %08x %lld\n", isum, (long long)(dsum * 128));
  return 0;
}
