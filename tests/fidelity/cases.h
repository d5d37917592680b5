/* Cases for the functions that the engine answers for. A file is compiled natively and run by the engine, and both must
 * log the same: results, errno, and the memory that a call wrote.
 *
 *     CASES(strlen) {
 *         EACH(text, texts) value(strlen(text));
 *     }
 *
 * logs a line `== strlen` and one line a call. What C leaves open (the size of what strcmp returns, the bits of a NaN)
 * is left out of the log, by functions that say so. NATIVE is defined in the native build only: there, what the
 * machine's library lacks is written out. */

#ifndef CASES_H
#define CASES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each is run before main, in the order of the file. */
#define CASES(name) SECTION(name, #name)

/* More of them, under a name of their own. */
#define CASES_OF(name, part) SECTION(name##_##part, #name " " #part)

#define SECTION(name, title)                                                                                           \
    static void cases_##name(void);                                                                                    \
    __attribute__((constructor)) static void run_##name(void) {                                                        \
        begin(title);                                                                                                  \
        cases_##name();                                                                                                \
        flush();                                                                                                       \
    }                                                                                                                  \
    static void cases_##name(void)

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define EACH(element, array)                                                                                           \
    for (size_t element##_index = 0; element##_index < COUNT(array); element##_index++)                                \
        for (__typeof__(*(array)) element = (array)[element##_index], *element##_once = &element; element##_once;      \
             element##_once = NULL)

/* ---- The log ---- */

static char log_text[1 << 14];
static size_t log_used;

static void flush(void) {
    for (size_t done = 0; done < log_used;) {
        ssize_t n = write(1, log_text + done, log_used - done);
        if (n <= 0)
            _exit(99);
        done += (size_t)n;
    }
    log_used = 0;
}

static void put(char c) {
    if (log_used == sizeof log_text)
        flush();
    log_text[log_used++] = c;
}

static void word(const char *text) {
    while (*text)
        put(*text++);
}

static void hex(uint64_t number, unsigned digits) {
    while (digits--)
        put("0123456789abcdef"[number >> 4 * digits & 15]);
}

static void begin(const char *name) {
    word("== ");
    word(name);
    put('\n');
    errno = 0;
}

/* Ends a line: errno is part of it, and is 0 again. */
static void line(void) {
    int error = errno;
    word(" errno ");
    hex((uint64_t)error, 3);
    put('\n');
    errno = 0;
}

/* Parts of a line. */
static void number(uint64_t value) {
    put(' ');
    hex(value, 16);
}

static void bytes(const void *from, size_t n) {
    word(" [");
    for (size_t i = 0; i < n; i++)
        hex(((const unsigned char *)from)[i], 2);
    put(']');
}

static void text_or_null(const char *text) {
    if (text)
        bytes(text, strlen(text));
    else
        word(" null");
}

/* C leaves open how much less or greater. */
static void sign(long long value) {
    word(value < 0 ? " less" : value > 0 ? " greater" : " equal");
}

/* C leaves open which non-zero number it is. */
static void truth(long long value) {
    word(value ? " yes" : " no");
}

/* A place in an object. */
static void place(const void *found, const void *base) {
    if (found)
        number((uint64_t)((const char *)found - (const char *)base));
    else
        word(" null");
}

static void bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    number(bits);
}

static void bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    number(bits);
}

/* Neither C nor IEEE 754 says which bits a computed NaN has. */
static void real(double value) {
    if (value != value)
        word(" nan");
    else
        bits_of_double(value);
}

static void real_float(float value) {
    if (value != value)
        word(" nan");
    else
        bits_of_float(value);
}

static void real_long(long double value) {
    if (value != value)
        word(" nan");
    else
        bytes(&value, 10);
}

/* Whole lines. */
static void value(uint64_t result) {
    number(result);
    line();
}

static void value_of_sign(long long result) {
    sign(result);
    line();
}

static void value_of_truth(long long result) {
    truth(result);
    line();
}

static void value_of_place(const void *found, const void *base) {
    place(found, base);
    line();
}

static void value_of_text(const char *text) {
    text_or_null(text);
    line();
}

/* ---- Arguments ---- */

/* The same numbers in every run. */
static uint64_t random_state = 0x9e3779b97f4a7c15;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static unsigned below(unsigned n) {
    return (unsigned)(random_bits() >> 32) % n;
}

static void random_text(char *to, const char *alphabet, unsigned max) {
    unsigned n = below(max + 1);
    for (unsigned i = 0; i < n; i++)
        to[i] = alphabet[below((unsigned)strlen(alphabet))];
    to[n] = 0;
}

/* Memory in which every byte that is written shows. */
static unsigned char area[160];

static void fill_area(void) {
    for (size_t i = 0; i < sizeof area; i++)
        area[i] = (unsigned char)(0xa0 + i % 64);
}

__attribute__((unused)) static const int special_ints[] = {
    INT_MIN, INT_MIN + 1, -65536, -256, -129, -128, -2, -1, 0, 1, 2, 9, 10, 127, 128, 255, 256, 32767, 65535, INT_MAX - 1,
    INT_MAX,
};

__attribute__((unused)) static const long long special_longs[] = {
    LLONG_MIN, LLONG_MIN + 1, INT_MIN - 1ll, INT_MIN, -129, -1, 0, 1, 255, INT_MAX, INT_MAX + 1ll, UINT_MAX,
    UINT_MAX + 1ll, LLONG_MAX - 1, LLONG_MAX,
};

__attribute__((unused)) static const char *const special_texts[] = {
    "", "a", "A", "b", "ab", "abc", "abd", "ABC", "aab", "aaab", "abcabcd", "a b", " a", "a ", "\xff", "\x80z", "a\xff",
    "\t\n\v\f\r ", "the quick brown fox jumps over the lazy dog", "0123456789abcdef", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
};

int main(void) {
    return 0;
}

#endif
