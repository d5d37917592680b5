/* sscanf, scanf and their relatives, as glibc reads in the C locale.
 * Left out, and said so: wide characters that are not ASCII. C23's 0b is no prefix. */

#include "conversion.h"
#include "integer.h"

enum { MAX_FLOAT_TEXT = 1024 }; /* a longer float is cut */

/* Text or a stream, with one character looked at before it is taken. */
struct source {
    const char *text;
    FILE *stream;
    int current;
    unsigned loaded;
    size_t consumed;
};

static int peek(struct source *in) {
    if (!in->loaded) {
        if (in->stream)
            in->current = __espalier_get(in->stream);
        else
            in->current = *in->text ? (unsigned char)*in->text : EOF;
        in->loaded = 1;
    }
    return in->current;
}

static void take(struct source *in) {
    in->loaded = 0;
    in->consumed++;
    if (!in->stream)
        in->text++;
}

static void skip_space(struct source *in) {
    while (is_space((unsigned)peek(in)))
        take(in);
}

/* One conversion specification. */
struct spec {
    unsigned suppressed, allocated;
    unsigned position; /* of the argument; 0 if it is the next one */
    size_t width; /* what is left of it */
    enum size size;
    const char *set, *set_end;
    unsigned set_inverted;
    char conversion;
};

/* The next character within the width, or EOF. */
static int peek_item(struct source *in, const struct spec *spec) {
    return spec->width ? peek(in) : EOF;
}

static void take_item(struct source *in, struct spec *spec) {
    take(in);
    spec->width--;
}

/* ---- Integers ---- */

/* Base 0 means that a prefix tells. As in glibc, 0x without a digit behind it is 0. */
static int read_integer(struct source *in, struct spec *spec, struct integer *number, unsigned base) {
    unsigned digits = 0;
    int c = peek_item(in, spec);
    if ((c == '-') | (c == '+')) {
        number->negative = c == '-';
        take_item(in, spec);
    }
    if ((base == 0 || base == 16) && peek_item(in, spec) == '0') {
        take_item(in, spec);
        digits = 1;
        if ((peek_item(in, spec) | 32) == 'x') {
            take_item(in, spec);
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (;;) {
        c = peek_item(in, spec);
        unsigned digit = digit_value((char)c, base);
        if (c == EOF || digit >= base)
            return digits ? 0 : -1;
        digits = 1;
        add_digit(number, digit, base);
        take_item(in, spec);
    }
}

static unsigned base_of(char conversion) {
    switch (conversion) {
    case 'd':
    case 'u':
        return 10;
    case 'o':
        return 8;
    case 'i':
        return 0;
    default:
        return 16;
    }
}

static int scan_integer(struct source *in, struct spec *spec, void *to) {
    /* As in glibc, what is not long long is read as long and then cut. */
    int is_long_long = spec->size == LONG_LONG || spec->size == LONG_DOUBLE;
    struct integer number;
    if (spec->conversion == 'd' || spec->conversion == 'i')
        number = signed_integer(is_long_long ? LLONG_MAX : LONG_MAX);
    else
        number = unsigned_integer(is_long_long ? ULLONG_MAX : ULONG_MAX);
    if (read_integer(in, spec, &number, base_of(spec->conversion)) < 0)
        return -1;

    unsigned long long value = integer_value(&number);
    if (to && spec->conversion == 'p')
        *(void **)to = (void *)(uintptr_t)value;
    else if (to)
        store_integer(to, spec->size, value);
    return 0;
}

/* ---- Floats ---- */

struct buffer {
    char *text;
    size_t size, used;
};

static void keep(struct buffer *buffer, int c) {
    if (buffer->used + 1 < buffer->size)
        buffer->text[buffer->used++] = (char)c;
}

/* Takes a word in any case as long as it agrees, and tells how much did. */
static size_t take_word(struct source *in, struct spec *spec, struct buffer *buffer, const char *word) {
    size_t n = 0;
    for (; word[n]; n++) {
        int c = peek_item(in, spec);
        if (c == EOF || to_lower((unsigned)c) != (unsigned char)word[n])
            break;
        keep(buffer, c);
        take_item(in, spec);
    }
    return n;
}

/* Fails on 0x alone, as glibc does. */
static int read_float_digits(struct source *in, struct spec *spec, struct buffer *buffer) {
    unsigned base = 10, digits = 0, point = 0, exponent = 0, sign_allowed = 0, bare_prefix = 0;
    int exponent_letter = 'e';
    if (peek_item(in, spec) == '0') {
        keep(buffer, '0');
        take_item(in, spec);
        digits = 1;
        if ((peek_item(in, spec) | 32) == 'x') {
            keep(buffer, 'x');
            take_item(in, spec);
            base = 16;
            exponent_letter = 'p';
            digits = 0;
            bare_prefix = 1;
        }
    }
    for (;;) {
        int c = peek_item(in, spec);
        if (c == EOF)
            break;
        if (digit_value((char)c, exponent ? 10 : base) < (exponent ? 10 : base)) {
            digits = 1;
            sign_allowed = 0;
        } else if (sign_allowed && ((c == '-') | (c == '+'))) {
            sign_allowed = 0;
        } else if (digits && !exponent && (c | 32) == exponent_letter) {
            exponent = sign_allowed = point = 1;
        } else if (c == '.' && !point) {
            point = 1;
        } else {
            break;
        }
        bare_prefix = 0;
        keep(buffer, c);
        take_item(in, spec);
    }
    return bare_prefix ? -1 : 0;
}

static int scan_float(struct source *in, struct spec *spec, void *to) {
    char text[MAX_FLOAT_TEXT], *end;
    struct buffer buffer = {text, sizeof text, 0};
    int c = peek_item(in, spec);
    if ((c == '-') | (c == '+')) {
        keep(&buffer, c);
        take_item(in, spec);
        c = peek_item(in, spec);
    }
    if ((c | 32) == 'n') {
        if (take_word(in, spec, &buffer, "nan") != 3)
            return -1;
    } else if ((c | 32) == 'i') {
        if (take_word(in, spec, &buffer, "inf") != 3)
            return -1;
        size_t more = take_word(in, spec, &buffer, "inity");
        if (more != 0 && more != 5)
            return -1;
    } else if (read_float_digits(in, spec, &buffer) < 0) {
        return -1;
    }
    text[buffer.used] = 0;

    if (spec->size == LONG_DOUBLE) {
        long double value = __espalier_parse_long_double(text, &end);
        if (to && end != text)
            *(long double *)to = value;
    } else if (spec->size == LONG) {
        double value = __espalier_parse_double(text, &end);
        if (to && end != text)
            *(double *)to = value;
    } else {
        float value = __espalier_parse_float(text, &end);
        if (to && end != text)
            *(float *)to = value;
    }
    return end == text ? -1 : 0;
}

/* ---- Characters ---- */

static unsigned in_set(const struct spec *spec, unsigned c) {
    unsigned found = 0;
    for (const char *p = spec->set; p < spec->set_end; p++) {
        unsigned first = (unsigned char)*p, last = first;
        if (p + 2 < spec->set_end && p[1] == '-' && (unsigned char)p[2] >= first) {
            last = (unsigned char)p[2];
            p++; /* the last one may be the first of another range */
        }
        found |= in_range(c, first, last);
    }
    return found ^ spec->set_inverted;
}

/* Where characters go: to memory of the caller's, or to some that grows. */
struct target {
    void *text;
    unsigned is_wide, grows;
    size_t size;
};

static int store(struct target *target, size_t n, unsigned c) {
    if (target->grows && n == target->size) {
        size_t size = n ? 2 * n : 100;
        void *larger = realloc(target->text, size * (target->is_wide ? sizeof(wchar_t) : 1));
        if (!larger)
            return -1;
        target->text = larger;
        target->size = size;
    }
    if (target->is_wide) {
        if (c > 127)
            __espalier_approximate("scanf with wide characters that are not ASCII");
        ((wchar_t *)target->text)[n] = (wchar_t)c;
    } else if (target->text) {
        ((char *)target->text)[n] = (char)c;
    }
    return 0;
}

/* The number of characters read, or -1 without memory. */
static ssize_t take_characters(struct source *in, struct spec *spec, struct target *target) {
    ssize_t n = 0;
    for (;; n++) {
        int c = peek_item(in, spec);
        if (c == EOF)
            break;
        if (spec->conversion == 's' && is_space((unsigned)c))
            break;
        if (spec->conversion == '[' && !in_set(spec, (unsigned)c))
            break;
        if (target && store(target, (size_t)n, (unsigned)c) < 0)
            return -1;
        take_item(in, spec);
    }
    if (n && target && spec->conversion != 'c' && store(target, (size_t)n, 0) < 0)
        return -1;
    return n;
}

static int scan_characters(struct source *in, struct spec *spec, void *to) {
    struct target target = {spec->allocated ? NULL : to, spec->size == LONG, spec->allocated, 0};
    ssize_t n = take_characters(in, spec, to ? &target : NULL);
    if (!to || !spec->allocated)
        return n ? 0 : -1;
    if (n <= 0) {
        free(target.text);
        target.text = NULL;
    }
    *(void **)to = target.text;
    return n > 0 ? 0 : -1;
}

/* ---- The format ---- */

static const char *read_size(const char *format, enum size *size) {
    *size = INT;
    switch (*format) {
    case 'h':
        *size = format[1] == 'h' ? CHAR : SHORT;
        return format + (format[1] == 'h' ? 2 : 1);
    case 'l':
        *size = format[1] == 'l' ? LONG_LONG : LONG;
        return format + (format[1] == 'l' ? 2 : 1);
    case 'j':
        *size = LONG_LONG;
        return format + 1;
    case 'z':
    case 't':
        *size = LONG;
        return format + 1;
    case 'L':
    case 'q':
        *size = LONG_DOUBLE;
        return format + 1;
    }
    return format;
}

static const char *read_set(const char *format, struct spec *spec) {
    spec->set_inverted = *format == '^';
    format += spec->set_inverted;
    spec->set = format;
    if (*format == ']')
        format++;
    while (*format && *format != ']')
        format++;
    spec->set_end = format;
    return *format ? format + 1 : format;
}

static const char *read_number(const char *format, size_t *number) {
    *number = 0;
    for (; digit_value(*format, 10) < 10; format++)
        *number = *number * 10 + digit_value(*format, 10);
    return format;
}

static const char *read_spec(const char *format, struct spec *spec) {
    const char *behind = read_number(format, &spec->width);
    spec->position = *behind == '$' ? (unsigned)spec->width : 0;
    if (spec->position)
        format = behind + 1;
    spec->suppressed = *format == '*';
    format = read_number(format + spec->suppressed, &spec->width);
    spec->allocated = *format == 'm';
    format = read_size(format + spec->allocated, &spec->size);
    spec->conversion = *format;
    if (*format)
        format++;
    if (spec->conversion == 'C' || spec->conversion == 'S') {
        spec->conversion |= 32;
        spec->size = LONG;
    }
    if (spec->conversion == '[')
        format = read_set(format, spec);
    if (!spec->width)
        spec->width = spec->conversion == 'c' ? 1 : SIZE_MAX;
    return format;
}

static int convert(struct source *in, struct spec *spec, void *to) {
    switch (spec->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
        return scan_integer(in, spec, to);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return scan_float(in, spec, to);
    default:
        return scan_characters(in, spec, to);
    }
}

static unsigned is_known(const struct spec *spec) {
    const char *known = spec->allocated                            ? "cs["
                        : spec->size == INT || spec->size == LONG ? "diuoxXpaAeEfFgGcs["
                                                                  : "diuoxXpaAeEfFgG";
    for (; *known; known++)
        if (*known == spec->conversion)
            return 1;
    return 0;
}

/* In a struct, so that it can be passed by address on every ABI. */
struct arguments {
    va_list next, first;
};

/* All arguments are pointers. */
static void *argument(struct arguments *arguments, unsigned position) {
    if (!position)
        return va_arg(arguments->next, void *);
    struct arguments from;
    va_copy(from.next, arguments->first);
    void *found = NULL;
    while (position--)
        found = va_arg(from.next, void *);
    va_end(from.next);
    return found;
}

static int scan(struct source *in, const char *format, struct arguments *arguments) {
    int stored = 0;
    while (*format) {
        if (is_space((unsigned char)*format)) {
            skip_space(in);
            format++;
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                skip_space(in);
                format++;
            }
            int c = peek(in);
            if (c == EOF)
                return stored ? stored : EOF;
            if (c != (unsigned char)*format)
                return stored;
            take(in);
            format++;
            continue;
        }

        struct spec spec;
        format = read_spec(format + 1, &spec);
        if (spec.conversion == 'n') {
            if (!spec.suppressed)
                store_integer(argument(arguments, spec.position), spec.size, in->consumed);
            continue;
        }
        if (!is_known(&spec)) {
            __espalier_approximate("a conversion that scanf does not know");
            errno = EINVAL;
            return stored ? stored : EOF;
        }
        if (spec.conversion != 'c' && spec.conversion != '[')
            skip_space(in);
        void *to = spec.suppressed ? NULL : argument(arguments, spec.position);
        if (peek(in) == EOF) {
            if (spec.allocated && to)
                *(void **)to = NULL;
            return stored ? stored : EOF;
        }
        if (convert(in, &spec, to) < 0)
            return stored;
        stored += !spec.suppressed;
    }
    return stored;
}

int __espalier_scan(const char *text, FILE *stream, const char *format, va_list list) {
    struct source in = {text, stream, EOF, 0, 0};
    struct arguments arguments;
    va_copy(arguments.next, list);
    va_copy(arguments.first, list);
    int stored = scan(&in, format, &arguments);
    va_end(arguments.first);
    va_end(arguments.next);
    if (stream && in.loaded && in.current != EOF)
        __espalier_unget(in.current, stream);
    return stored;
}

/* ---- Public functions, also under the names to which glibc's headers redirect C99 and C23 programs ---- */

extern FILE *stdin;

#define SCAN_FUNCTIONS(prefix)                                                                                         \
    API int prefix##vsscanf(const char *restrict text, const char *restrict format, va_list list) {                    \
        return __espalier_scan(text, NULL, format, list);                                                              \
    }                                                                                                                  \
    API int prefix##vfscanf(FILE *restrict stream, const char *restrict format, va_list list) {                        \
        return __espalier_scan(NULL, stream, format, list);                                                            \
    }                                                                                                                  \
    API int prefix##vscanf(const char *restrict format, va_list list) {                                                \
        return __espalier_scan(NULL, stdin, format, list);                                                             \
    }                                                                                                                  \
    API int prefix##sscanf(const char *restrict text, const char *restrict format, ...) {                              \
        va_list list;                                                                                                  \
        va_start(list, format);                                                                                        \
        int n = __espalier_scan(text, NULL, format, list);                                                             \
        va_end(list);                                                                                                  \
        return n;                                                                                                      \
    }                                                                                                                  \
    API int prefix##fscanf(FILE *restrict stream, const char *restrict format, ...) {                                  \
        va_list list;                                                                                                  \
        va_start(list, format);                                                                                        \
        int n = __espalier_scan(NULL, stream, format, list);                                                           \
        va_end(list);                                                                                                  \
        return n;                                                                                                      \
    }                                                                                                                  \
    API int prefix##scanf(const char *restrict format, ...) {                                                          \
        va_list list;                                                                                                  \
        va_start(list, format);                                                                                        \
        int n = __espalier_scan(NULL, stdin, format, list);                                                            \
        va_end(list);                                                                                                  \
        return n;                                                                                                      \
    }

SCAN_FUNCTIONS()
SCAN_FUNCTIONS(__isoc99_)
SCAN_FUNCTIONS(__isoc23_)
