// Concrete benchmark: FNV-1a and a murmur-like mix over a buffer; prints a checksum.
// stdout: hash a41cbc1f99f60b0f
#include <stdint.h>
#include <stdio.h>

#ifndef SCALE
#define SCALE 1500
#endif
#define SIZE 65536

static unsigned char buffer[SIZE];

static void fill(uint32_t seed) {
  for (unsigned i = 0; i < SIZE; i++) {
    seed = seed * 1664525u + 1013904223u;
    buffer[i] = (unsigned char)(seed >> 24);
  }
}

static uint64_t fnv1a(const unsigned char *p, unsigned n) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (unsigned i = 0; i < n; i++) {
    h ^= p[i];
    h *= 0x100000001b3ull;
  }
  return h;
}

static uint32_t mix(const unsigned char *p, unsigned n, uint32_t seed) {
  uint32_t h = seed;
  for (unsigned i = 0; i + 4 <= n; i += 4) {
    uint32_t k = p[i] | (uint32_t)p[i + 1] << 8 | (uint32_t)p[i + 2] << 16 | (uint32_t)p[i + 3] << 24;
    k *= 0xcc9e2d51u;
    k = (k << 15) | (k >> 17);
    k *= 0x1b873593u;
    h ^= k;
    h = (h << 13) | (h >> 19);
    h = h * 5 + 0xe6546b64u;
  }
  h ^= n;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ (h >> 16);
}

int main(void) {
  uint64_t sum = 0;
  fill(1);
  for (unsigned round = 0; round < SCALE; round++) {
    unsigned n = SIZE - round % 64;
    sum = sum * 31 + fnv1a(buffer, n);
    sum ^= mix(buffer, n, (uint32_t)sum);
    buffer[round % SIZE] ^= (unsigned char)sum;
  }
  printf("hash %016llx\n", (unsigned long long)sum);
  return 0;
}
