/* sprintf and its relatives, to memory: every standard flag, length and conversion, and glibc's %m, in the C locale.
 * Positional arguments (%1$d) are refused with EINVAL.
 *
 * The length of a decimal number is found by comparisons with powers of ten, so that a symbolic number forks on those
 * and not on chains of divisions; the digits are then terms. Floats: format_real.c. */

#include "format.h"

enum size { CHAR, SHORT, INT, LONG, LONG_LONG, LONG_DOUBLE };

/* In a struct, so that it can be passed by address on every ABI. */
struct arguments {
    va_list list;
};

static long long signed_argument(struct arguments *arguments, enum size size) {
    switch (size) {
    case CHAR:
        return (signed char)va_arg(arguments->list, int);
    case SHORT:
        return (short)va_arg(arguments->list, int);
    case INT:
        return va_arg(arguments->list, int);
    case LONG:
        return va_arg(arguments->list, long);
    default:
        return va_arg(arguments->list, long long);
    }
}

static unsigned long long unsigned_argument(struct arguments *arguments, enum size size) {
    switch (size) {
    case CHAR:
        return (unsigned char)va_arg(arguments->list, unsigned);
    case SHORT:
        return (unsigned short)va_arg(arguments->list, unsigned);
    case INT:
        return va_arg(arguments->list, unsigned);
    case LONG:
        return va_arg(arguments->list, unsigned long);
    default:
        return va_arg(arguments->list, unsigned long long);
    }
}

static void store_count(struct arguments *arguments, enum size size, size_t count) {
    void *to = va_arg(arguments->list, void *);
    switch (size) {
    case CHAR:
        *(signed char *)to = (signed char)count;
        break;
    case SHORT:
        *(short *)to = (short)count;
        break;
    case INT:
        *(int *)to = (int)count;
        break;
    case LONG:
        *(long *)to = (long)count;
        break;
    default:
        *(long long *)to = (long long)count;
    }
}

/* ---- Integers ---- */

enum { MAX_INTEGER = 22 }; /* octal digits of 64 bits */

/* Writes the digits of a value that is not 0 and returns their number. Most are 32-bit: those get 32-bit divisions. */
static unsigned decimal_digits(unsigned long long value, unsigned is_wide, char *out) {
    unsigned n = 1;
    if (is_wide) {
        for (unsigned long long power = 10; n < 20 && value >= power; power *= 10)
            n++;
        for (unsigned i = n; i--; value /= 10)
            out[i] = (char)('0' + value % 10);
    } else {
        uint32_t narrow = (uint32_t)value;
        for (uint32_t power = 10; n < 10 && narrow >= power; power *= 10)
            n++;
        for (unsigned i = n; i--; narrow /= 10)
            out[i] = (char)('0' + narrow % 10);
    }
    return n;
}

static unsigned power_of_two_digits(unsigned long long value, unsigned bits, unsigned letters, char *out) {
    unsigned n = 1;
    while (n * bits < 64 && value >> n * bits)
        n++;
    for (unsigned i = n; i--; value >>= bits) {
        unsigned digit = (unsigned)value & ((1u << bits) - 1);
        out[i] = (char)('0' + digit + (-(unsigned)(digit > 9) & (letters - '0' - 10)));
    }
    return n;
}

static void put_integer(struct sink *sink, struct spec *spec, const char *prefix, const char *digits, unsigned n) {
    size_t zeros = 0;
    if (spec->precision >= 0) {
        spec->zero = 0;
        zeros = (unsigned)spec->precision > n ? (unsigned)spec->precision - n : 0;
    }
    put_before(sink, spec, prefix, zeros + n);
    put_repeated(sink, '0', zeros);
    put_text(sink, digits, n);
    put_after(sink, spec, prefix, zeros + n);
}

static void put_signed(struct sink *sink, struct spec *spec, enum size size, long long value) {
    char digits[MAX_INTEGER] = "0";
    const char *sign = spec->plus ? "+" : spec->space ? " " : "";
    unsigned long long magnitude = (unsigned long long)value;
    unsigned is_wide = size == LONG_LONG || (size == LONG && sizeof(long) > 4);
    unsigned n = spec->precision != 0;
    if (value < 0) {
        sign = "-";
        magnitude = -magnitude;
    }
    if (value)
        n = decimal_digits(magnitude, is_wide, digits);
    put_integer(sink, spec, sign, digits, n);
}

static void put_unsigned(struct sink *sink, struct spec *spec, enum size size, unsigned long long value) {
    char digits[MAX_INTEGER] = "0";
    const char *prefix = "";
    unsigned is_wide = size == LONG_LONG || (size == LONG && sizeof(long) > 4);
    unsigned n = spec->precision != 0;
    if (value) {
        switch (spec->conversion) {
        case 'o':
            n = power_of_two_digits(value, 3, 'a', digits);
            break;
        case 'x':
            n = power_of_two_digits(value, 4, 'a', digits);
            prefix = spec->alternative ? "0x" : "";
            break;
        case 'X':
            n = power_of_two_digits(value, 4, 'A', digits);
            prefix = spec->alternative ? "0X" : "";
            break;
        default:
            n = decimal_digits(value, is_wide, digits);
        }
    }
    /* "For o conversion, it increases the precision, if and only if necessary, to force the first digit to be zero." */
    if (spec->conversion == 'o' && spec->alternative && (value || !n) && spec->precision <= (int)n) {
        spec->zero = spec->zero && spec->precision < 0;
        prefix = "0";
    }
    put_integer(sink, spec, prefix, digits, n);
}

/* ---- Characters and strings ---- */

static void put_string(struct sink *sink, struct spec *spec, const char *text, size_t n) {
    spec->zero = 0;
    put_before(sink, spec, "", n);
    put_text(sink, text, n);
    put_after(sink, spec, "", n);
}

static void put_narrow_string(struct sink *sink, struct spec *spec, const char *text) {
    size_t max = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
    if (!text)
        text = max < 6 ? "" : "(null)";
    put_string(sink, spec, text, bounded_length(text, max));
}

/* In the C locale a wide character is representable if it is ASCII. */
static int put_wide_string(struct sink *sink, struct spec *spec, const wchar_t *text) {
    size_t max = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision, n = 0;
    if (!text) {
        put_narrow_string(sink, spec, NULL);
        return 0;
    }
    while (n < max && text[n]) {
        if ((uint32_t)text[n] > 127) {
            errno = EILSEQ;
            return -1;
        }
        n++;
    }
    spec->zero = 0;
    put_before(sink, spec, "", n);
    for (size_t i = 0; i < n; i++)
        put(sink, (char)text[i]);
    put_after(sink, spec, "", n);
    return 0;
}

static void put_pointer(struct sink *sink, struct spec *spec, void *pointer) {
    if (!pointer) {
        put_string(sink, spec, "(nil)", 5);
        return;
    }
    char digits[MAX_INTEGER];
    unsigned n = power_of_two_digits((uintptr_t)pointer, 4, 'a', digits);
    put_integer(sink, spec, spec->plus ? "+0x" : spec->space ? " 0x" : "0x", digits, n);
}

/* ---- Floats ---- */

static struct real decompose_double(double value) {
    union {
        double value;
        uint64_t bits;
    } in = {value};
    unsigned exponent = in.bits >> 52 & 0x7ff;
    uint64_t fraction = in.bits & ((1ull << 52) - 1);
    struct real result = {REAL_FINITE, (unsigned)(in.bits >> 63), fraction, -1074, 53};
    if (exponent == 0x7ff) {
        result.kind = fraction ? REAL_NAN : REAL_INFINITE;
    } else if (exponent) {
        result.significand |= 1ull << 52;
        result.exponent = (int)exponent - 1075;
    }
    return result;
}

static struct real decompose_long_double(long double value) {
    union {
        long double value;
        struct {
            uint64_t significand;
            uint16_t sign_and_exponent;
        } bits;
    } in = {value};
    unsigned exponent = in.bits.sign_and_exponent & 0x7fff;
    uint64_t significand = in.bits.significand;
    struct real result = {REAL_FINITE, in.bits.sign_and_exponent >> 15, significand, -16445, 64};
    if (exponent == 0x7fff)
        result.kind = significand << 1 ? REAL_NAN : REAL_INFINITE;
    else if (exponent)
        result.exponent = (int)exponent - 16446;
    return result;
}

/* ---- The format ---- */

/* A number at *format; one that does not fit an int is an error. */
static int read_number(const char **format, int *number) {
    *number = 0;
    for (; digit_value(**format, 10) < 10; ++*format) {
        int digit = (int)digit_value(**format, 10);
        if (*number > (INT_MAX - digit) / 10) {
            errno = EOVERFLOW;
            return -1;
        }
        *number = *number * 10 + digit;
    }
    return 0;
}

static enum size read_size(const char **format) {
    const char *s = *format;
    enum size size = INT;
    switch (*s) {
    case 'h':
        size = s[1] == 'h' ? CHAR : SHORT;
        s += s[1] == 'h' ? 2 : 1;
        break;
    case 'l':
        size = s[1] == 'l' ? LONG_LONG : LONG;
        s += s[1] == 'l' ? 2 : 1;
        break;
    case 'j':
        size = LONG_LONG;
        s++;
        break;
    case 'z':
    case 't':
        size = LONG;
        s++;
        break;
    case 'L':
    case 'q':
        size = LONG_DOUBLE;
        s++;
        break;
    }
    *format = s;
    return size;
}

/* Everything between the % and the conversion. */
static int read_spec(const char **format, struct spec *spec, enum size *size, struct arguments *arguments) {
    struct spec empty = {0, 0, 0, 0, 0, 0, -1, 0};
    int number;
    *spec = empty;
    for (;; ++*format) {
        switch (**format) {
        case '-':
            spec->left = 1;
            continue;
        case '+':
            spec->plus = 1;
            continue;
        case ' ':
            spec->space = 1;
            continue;
        case '#':
            spec->alternative = 1;
            continue;
        case '0':
            spec->zero = 1;
            continue;
        case '\'':
        case 'I':
            continue;
        }
        break;
    }
    if (**format == '*') {
        ++*format;
        number = va_arg(arguments->list, int);
        spec->left |= number < 0;
        spec->width = number < 0 ? -(size_t)number : (size_t)number;
    } else {
        if (read_number(format, &number) < 0)
            return -1;
        spec->width = (size_t)number;
    }
    if (**format == '.') {
        ++*format;
        if (**format == '*') {
            ++*format;
            number = va_arg(arguments->list, int);
        } else if (read_number(format, &number) < 0) {
            return -1;
        }
        spec->precision = number;
    }
    if (**format == '$') {
        errno = EINVAL;
        return -1;
    }
    *size = read_size(format);
    spec->conversion = **format;
    if (spec->conversion)
        ++*format;
    return 0;
}

static int put_conversion(struct sink *sink, struct spec *spec, enum size size, struct arguments *arguments) {
    struct real real;
    wchar_t wide[2] = {0, 0};
    char character;
    switch (spec->conversion) {
    case 'd':
    case 'i':
        put_signed(sink, spec, size, signed_argument(arguments, size));
        return 0;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        put_unsigned(sink, spec, size, unsigned_argument(arguments, size));
        return 0;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        real = size == LONG_DOUBLE ? decompose_long_double(va_arg(arguments->list, long double))
                                   : decompose_double(va_arg(arguments->list, double));
        __espalier_format_real(sink, spec, &real);
        return 0;
    case 'c':
        if (size == LONG) {
            wide[0] = (wchar_t)va_arg(arguments->list, unsigned);
            spec->precision = -1;
            if (wide[0])
                return put_wide_string(sink, spec, wide);
            character = 0;
        } else {
            character = (char)va_arg(arguments->list, int);
        }
        put_string(sink, spec, &character, 1);
        return 0;
    case 's':
        if (size == LONG)
            return put_wide_string(sink, spec, va_arg(arguments->list, wchar_t *));
        put_narrow_string(sink, spec, va_arg(arguments->list, char *));
        return 0;
    case 'p':
        put_pointer(sink, spec, va_arg(arguments->list, void *));
        return 0;
    case 'n':
        store_count(arguments, size, sink->length);
        return 0;
    case 'm':
        put_narrow_string(sink, spec, __espalier_strerror(errno));
        return 0;
    case '%':
        put(sink, '%');
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

int __espalier_format_text(char *out, size_t size, const char *format, va_list list) {
    struct sink sink = {out, size ? size - 1 : 0, 0};
    struct arguments arguments;
    int status = 0;
    va_copy(arguments.list, list);
    while (*format && status == 0) {
        if (*format != '%') {
            put(&sink, *format++);
            continue;
        }
        format++;
        struct spec spec;
        enum size argument_size;
        status = read_spec(&format, &spec, &argument_size, &arguments);
        if (status == 0)
            status = put_conversion(&sink, &spec, argument_size, &arguments);
    }
    va_end(arguments.list);

    if (size)
        out[sink.length < sink.capacity ? sink.length : sink.capacity] = 0;
    if (status == 0 && sink.length > INT_MAX) {
        errno = EOVERFLOW;
        status = -1;
    }
    return status < 0 ? -1 : (int)sink.length;
}

/* ---- Public functions ---- */

API int vsnprintf(char *restrict out, size_t size, const char *restrict format, va_list list) {
    return __espalier_format_text(out, size, format, list);
}

API int vsprintf(char *restrict out, const char *restrict format, va_list list) {
    return __espalier_format_text(out, SIZE_MAX, format, list);
}

API int snprintf(char *restrict out, size_t size, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int n = __espalier_format_text(out, size, format, list);
    va_end(list);
    return n;
}

API int sprintf(char *restrict out, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int n = __espalier_format_text(out, SIZE_MAX, format, list);
    va_end(list);
    return n;
}

static int format_allocated(char **out, const char *format, va_list list) {
    int n = __espalier_format_text(NULL, 0, format, list);
    if (n < 0)
        return -1;
    char *text = malloc((size_t)n + 1);
    if (!text) {
        errno = ENOMEM;
        return -1;
    }
    *out = text;
    return __espalier_format_text(text, (size_t)n + 1, format, list);
}

API int vasprintf(char **restrict out, const char *restrict format, va_list list) {
    return format_allocated(out, format, list);
}

API int asprintf(char **restrict out, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int n = format_allocated(out, format, list);
    va_end(list);
    return n;
}
