/* What the two halves of the formatter share. */

#ifndef ESPALIER_FORMAT_H
#define ESPALIER_FORMAT_H

#include "libc.h"

/* Counts everything, keeps what fits. */
struct sink {
    char *out;
    size_t capacity, length;
};

/* A width or a precision: a number, or an argument, at a position or in its turn. */
struct amount {
    unsigned is_argument, position;
    int number;
};

/* One conversion specification. */
struct spec {
    unsigned left, plus, space, alternative, zero, has_precision;
    unsigned position; /* of the argument; 0 if it is the next one */
    struct amount wanted_width, wanted_precision;
    size_t width;
    int precision; /* negative if none is given */
    char conversion;
};

static inline void put(struct sink *sink, char c) {
    if (sink->length < sink->capacity)
        sink->out[sink->length] = c;
    sink->length++;
}

static inline void put_repeated(struct sink *sink, char c, size_t n) {
    while (n--)
        put(sink, c);
}

static inline void put_text(struct sink *sink, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        put(sink, text[i]);
}

/* What is written around a number of `length` characters: [spaces][sign or prefix][zeros]number[spaces]. */
static inline void put_before(struct sink *sink, const struct spec *spec, const char *prefix, size_t n) {
    size_t prefix_length = length(prefix), used = prefix_length + n;
    size_t padding = spec->width > used ? spec->width - used : 0;
    if (!spec->left && !spec->zero)
        put_repeated(sink, ' ', padding);
    put_text(sink, prefix, prefix_length);
    if (!spec->left && spec->zero)
        put_repeated(sink, '0', padding);
}

static inline void put_after(struct sink *sink, const struct spec *spec, const char *prefix, size_t n) {
    size_t used = length(prefix) + n;
    if (spec->left && spec->width > used)
        put_repeated(sink, ' ', spec->width - used);
}

/* A float as significand * 2^exponent. */
struct real {
    enum { REAL_FINITE, REAL_INFINITE, REAL_NAN } kind;
    unsigned negative;
    uint64_t significand;
    int exponent;
    unsigned precision; /* bits of the format's significand: 53 or 64 */
};

void __espalier_format_real(struct sink *sink, const struct spec *spec, const struct real *value);

#endif
