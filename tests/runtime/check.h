/* Counting of checks, random numbers, and exact-size copies that make a sanitizer see every read past the end. */

#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned failures;

/* Reports the first failures of a test; the test counts as failed if there is any. */
#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition) && failures++ < 5) {                                                                          \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
        }                                                                                                              \
    } while (0)

/* n, times the environment variable SCALE. */
int rounds(int n);

uint64_t random_bits(void);
unsigned below(unsigned n);
int one_in(unsigned n);
const char *one_of(const char *const *choices, unsigned n);
#define ONE_OF(choices) one_of(choices, sizeof(choices) / sizeof *(choices))

/* On the heap, of exactly the size needed, to be freed by release_all. */
char *exact(const void *bytes, size_t n);
char *exact_string(const char *text);
char *random_string(const char *alphabet, unsigned max);
void release_all(void);

/* The runtime's function under the name the test gives it. */
#define ESP(name) extern __typeof__(name) esp_##name

void run(const char *name, void (*test)(void));

void string_tests(void);
void number_tests(void);
void format_tests(void);
void scan_tests(void);
void stdio_tests(void);

#endif
