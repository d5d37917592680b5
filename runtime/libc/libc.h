/* What the files of this libc share.
 *
 * The libc is compiled to bitcode and executed symbolically, so its code aims at few forks rather than at speed: a
 * condition on data is computed with | and & where && would branch, and a loop branches once per character.
 * It is freestanding: it takes nothing from the host's headers but the compiler's own.
 *
 * Public functions are weak, so that a program may define its own. Code that they share is in static functions or under
 * names that begin with __espalier_, so that such a definition changes nothing else.
 * What the engine provides is declared at the end of this file. */

#ifndef ESPALIER_LIBC_H
#define ESPALIER_LIBC_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((__weak__))
#define NORETURN __attribute__((noreturn))

typedef ptrdiff_t ssize_t;
typedef struct espalier_file FILE;

enum { EOF = -1 };

enum {
    ENOENT = 2,
    EBADF = 9,
    ENOMEM = 12,
    EINVAL = 22,
    ENOTTY = 25,
    ESPIPE = 29,
    ERANGE = 34,
    ENOSYS = 38,
    EOVERFLOW = 75,
    EILSEQ = 84,
};

int *__errno_location(void);
#define errno (*__errno_location())

/* ---- Small shared functions ---- */

static inline size_t length(const char *text) {
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static inline size_t bounded_length(const char *text, size_t max) {
    size_t n = 0;
    while (n < max && text[n])
        n++;
    return n;
}

/* As an unsigned 0 or 1, so that it can be combined without a branch. */
static inline unsigned in_range(unsigned c, unsigned first, unsigned last) {
    return c - first <= last - first;
}

static inline unsigned is_space(unsigned c) {
    return (c == ' ') | in_range(c, '\t', '\r');
}

static inline unsigned to_lower(unsigned c) {
    return c ^ in_range(c, 'A', 'Z') << 5;
}

/* The value of a digit in base 2 to 36; at least base if it is none. */
static inline unsigned digit_value(char character, unsigned base) {
    unsigned c = (unsigned char)character;
    unsigned decimal = c - '0';
    if (base <= 10)
        return decimal;
    unsigned letter = (c | 32) - 'a';
    unsigned is_decimal = -(unsigned)(decimal < 10), is_letter = -(unsigned)(letter < 26);
    return (decimal & is_decimal) | ((letter + 10) & is_letter) | (~is_decimal & ~is_letter);
}

/* ---- Shared between files ---- */

const char *__espalier_strerror(int error);

double __espalier_parse_double(const char *text, char **end);
float __espalier_parse_float(const char *text, char **end);
long double __espalier_parse_long_double(const char *text, char **end);

/* vsnprintf; `size` counts the terminating zero. */
int __espalier_format_text(char *out, size_t size, const char *format, va_list arguments);

/* One character of a stream, or EOF; and its return to the stream. */
int __espalier_get(FILE *stream);
int __espalier_unget(int c, FILE *stream);
int __espalier_scan(const char *text, FILE *stream, const char *format, va_list arguments);

/* ---- What the engine provides ---- */

void *malloc(size_t size);
void *realloc(void *pointer, size_t size);
void free(void *pointer);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
NORETURN void abort(void);
NORETURN void _exit(int status);

/* Notes that a real system may answer otherwise; the verdict says so. A word of base/src/fidelity.rs names what is fixed,
 * any other text is the reason. */
void __espalier_approximate(const char *reason);

/* The answer of a system that is fixed in this way, which is noted; or any, if any is asked about. */
int __espalier_answer(const char *what, int fixed);

/* Bytes were compared: their order, or an unknown one if it is one of addresses. */
int __espalier_compared(int order, const void *a, const void *b, size_t n);

/* All output ends in one of these two. The second one is printf: formatted by the engine, so that it does not fork.
 * BUFFERED is added for what natively waits in the buffer of a stream. */
enum { BUFFERED = 8 };
void __espalier_output(int fd, const void *bytes, size_t n);
int __espalier_vformat(int fd, const char *format, va_list arguments);

/* What the second one returns, without having printed anything, if the format has what it does not know. */
enum { NOT_FORMATTED = INT_MIN };

/* The buffer of standard output is written; or, if not settled, it is unknown when it is. */
void __espalier_flush(int settled);

#endif
