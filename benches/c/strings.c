// Concrete benchmark: string length, comparison, copy and search loops; prints a checksum.
// stdout: strings aed61551
#include <stdint.h>
#include <stdio.h>

#ifndef SCALE
#define SCALE 1100
#endif
#define WORDS 1024
#define WIDTH 24

static char words[WORDS][WIDTH];
static char text[WORDS * WIDTH];

static unsigned length(const char *s) {
  unsigned n = 0;
  while (s[n])
    n++;
  return n;
}

static int compare(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a - (unsigned char)*b;
}

static char *append(char *to, const char *from) {
  while ((*to = *from++))
    to++;
  return to;
}

static unsigned count(const char *s, char c) {
  unsigned n = 0;
  for (; *s; s++)
    if (*s == c)
      n++;
  return n;
}

static void make_words(void) {
  uint32_t seed = 99;
  for (int i = 0; i < WORDS; i++) {
    seed = seed * 69069u + 1u;
    int n = 4 + (int)(seed >> 28);
    for (int k = 0; k < n; k++) {
      seed = seed * 69069u + 1u;
      words[i][k] = (char)('a' + (seed >> 24) % 6);
    }
    words[i][n] = 0;
  }
}

int main(void) {
  uint32_t sum = 0;
  make_words();
  for (int round = 0; round < SCALE; round++) {
    char *end = text;
    for (int i = 0; i < WORDS; i++) {
      sum = sum * 17 + length(words[i]);
      if (compare(words[i], words[(i * 7 + round) % WORDS]) < 0)
        sum += 3;
      end = append(end, words[i]);
    }
    for (char c = 'a'; c <= 'f'; c++)
      sum = sum * 31 + count(text, c);
    words[round % WORDS][0] = (char)('a' + sum % 6);
  }
  printf("strings %08x\n", sum);
  return 0;
}
