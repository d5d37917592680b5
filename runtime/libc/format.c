/* sprintf and its relatives, to memory: every standard flag, length and conversion, and glibc's %m, in the C locale.
 * Positional arguments (%1$d) are read before anything is written, as their types are known from the whole format.
 *
 * The length of a decimal number is found by comparisons with powers of ten, so that a symbolic number forks on those
 * and not on chains of divisions; the digits are then terms. Floats: format_real.c. */

#include "conversion.h"
#include "format.h"

/* ---- Arguments ---- */

enum type { NONE, AN_INT, A_LONG, A_LONG_LONG, A_DOUBLE, A_LONG_DOUBLE, A_POINTER };

union argument {
    long long integer;
    double real;
    long double extended;
    void *pointer;
};

enum { POSITIONS = 32 };

/* In a struct, so that it can be passed by address on every ABI. */
struct arguments {
    va_list list;
    unsigned positions; /* so many have been read */
    union argument at[POSITIONS];
};

static union argument take(struct arguments *arguments, enum type type) {
    union argument value = {0};
    switch (type) {
    case NONE:
        break;
    case AN_INT:
        value.integer = va_arg(arguments->list, int);
        break;
    case A_LONG:
        value.integer = va_arg(arguments->list, long);
        break;
    case A_LONG_LONG:
        value.integer = va_arg(arguments->list, long long);
        break;
    case A_DOUBLE:
        value.real = va_arg(arguments->list, double);
        break;
    case A_LONG_DOUBLE:
        value.extended = va_arg(arguments->list, long double);
        break;
    case A_POINTER:
        value.pointer = va_arg(arguments->list, void *);
    }
    return value;
}

/* The argument at a position; at position 0, the next one. */
static union argument argument(struct arguments *arguments, enum type type, unsigned position) {
    return position ? arguments->at[position - 1] : take(arguments, type);
}

static long long as_signed(long long value, enum size size) {
    switch (size) {
    case CHAR:
        return (signed char)value;
    case SHORT:
        return (short)value;
    default:
        return value;
    }
}

static unsigned long long as_unsigned(long long value, enum size size) {
    switch (size) {
    case CHAR:
        return (unsigned char)value;
    case SHORT:
        return (unsigned short)value;
    case INT:
        return (unsigned)value;
    case LONG:
        return (unsigned long)value;
    default:
        return (unsigned long long)value;
    }
}

/* ---- Integers ---- */

enum { MAX_INTEGER = 64 }; /* binary digits */

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
    unsigned is_wide = size >= LONG_LONG || (size == LONG && sizeof(long) > 4);
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
    unsigned is_wide = size >= LONG_LONG || (size == LONG && sizeof(long) > 4);
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
        case 'b':
        case 'B':
            n = power_of_two_digits(value, 1, 'a', digits);
            prefix = !spec->alternative ? "" : spec->conversion == 'b' ? "0b" : "0B";
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

/* `n$` at *format, if it is there; else 0. */
static int read_position(const char **format, unsigned *position) {
    const char *s = *format;
    int number;
    *position = 0;
    if (digit_value(*s, 10) >= 10)
        return 0;
    if (read_number(&s, &number) < 0)
        return -1;
    if (*s == '$') {
        *position = (unsigned)number;
        *format = s + 1;
    }
    return 0;
}

/* A width or a precision, or where to find it. */
static int read_amount(const char **format, struct amount *amount) {
    amount->is_argument = **format == '*';
    if (!amount->is_argument)
        return read_number(format, &amount->number);
    ++*format;
    return read_position(format, &amount->position);
}

/* Everything between the % and the conversion. */
static int read_spec(const char **format, struct spec *spec, enum size *size) {
    struct spec empty = {.precision = -1};
    *spec = empty;
    if (read_position(format, &spec->position) < 0)
        return -1;
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
    if (read_amount(format, &spec->wanted_width) < 0)
        return -1;
    if (**format == '.') {
        ++*format;
        spec->has_precision = 1;
        if (read_amount(format, &spec->wanted_precision) < 0)
            return -1;
    }
    *size = read_size(format);
    spec->conversion = **format;
    if (spec->conversion)
        ++*format;
    if (spec->conversion == 'C' || spec->conversion == 'S') {
        spec->conversion |= 32;
        *size = LONG;
    }
    return 0;
}

static enum type type_of(char conversion, enum size size) {
    switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
        return size <= INT ? AN_INT : size == LONG ? A_LONG : A_LONG_LONG;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return size == LONG_DOUBLE ? A_LONG_DOUBLE : A_DOUBLE;
    case 'c':
        return AN_INT;
    case 's':
    case 'p':
    case 'n':
        return A_POINTER;
    default:
        return NONE;
    }
}

/* ---- Positional arguments ---- */

struct types {
    enum type at[POSITIONS];
    unsigned count, is_undefined;
};

static void note_type(struct types *types, unsigned position, enum type type) {
    if (!position || position > POSITIONS) {
        types->is_undefined = 1;
        return;
    }
    types->is_undefined |= types->at[position - 1] != NONE && types->at[position - 1] != type;
    types->at[position - 1] = type;
    if (types->count < position)
        types->count = position;
}

/* Reads all arguments of a format with positions. Undefined: some are not used, or have two types, or no position. */
static int read_arguments(struct arguments *arguments, const char *format) {
    struct types types = {0};
    while (*format) {
        struct spec spec;
        enum size size;
        if (*format++ != '%')
            continue;
        if (read_spec(&format, &spec, &size) < 0)
            return -1;
        if (spec.wanted_width.is_argument)
            note_type(&types, spec.wanted_width.position, AN_INT);
        if (spec.wanted_precision.is_argument)
            note_type(&types, spec.wanted_precision.position, AN_INT);
        enum type type = type_of(spec.conversion, size);
        if (type != NONE)
            note_type(&types, spec.position, type);
    }
    for (unsigned i = 0; i < types.count; i++) {
        types.is_undefined |= types.at[i] == NONE;
        arguments->at[i] = take(arguments, types.at[i]);
    }
    arguments->positions = POSITIONS;
    if (!types.is_undefined)
        return 0;
    __espalier_approximate("printf with a mixture of positions");
    errno = EINVAL;
    return -1;
}

static unsigned has_positions(const struct spec *spec) {
    return spec->position | spec->wanted_width.position | spec->wanted_precision.position;
}

/* The amounts that are arguments; a negative width means that the text is to the left. */
static void settle_amounts(struct spec *spec, struct arguments *arguments) {
    struct amount *width = &spec->wanted_width, *precision = &spec->wanted_precision;
    if (width->is_argument)
        width->number = (int)argument(arguments, AN_INT, width->position).integer;
    spec->left |= width->number < 0;
    spec->width = width->number < 0 ? -(size_t)width->number : (size_t)width->number;
    if (precision->is_argument)
        precision->number = (int)argument(arguments, AN_INT, precision->position).integer;
    if (spec->has_precision)
        spec->precision = precision->number;
}

static int put_conversion(struct sink *sink, struct spec *spec, enum size size, union argument value) {
    struct real real;
    wchar_t wide[2] = {0, 0};
    char character;
    switch (spec->conversion) {
    case 'd':
    case 'i':
        put_signed(sink, spec, size, as_signed(value.integer, size));
        return 0;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
        put_unsigned(sink, spec, size, as_unsigned(value.integer, size));
        return 0;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        real = size == LONG_DOUBLE ? decompose_long_double(value.extended) : decompose_double(value.real);
        __espalier_format_real(sink, spec, &real);
        return 0;
    case 'c':
        if (size == LONG) {
            wide[0] = (wchar_t)value.integer;
            spec->precision = -1;
            if (wide[0])
                return put_wide_string(sink, spec, wide);
        }
        character = (char)value.integer;
        put_string(sink, spec, &character, 1);
        return 0;
    case 's':
        if (size == LONG)
            return put_wide_string(sink, spec, value.pointer);
        put_narrow_string(sink, spec, value.pointer);
        return 0;
    case 'p':
        put_pointer(sink, spec, value.pointer);
        return 0;
    case 'n':
        store_integer(value.pointer, size, sink->length);
        return 0;
    case 'm':
        put_narrow_string(sink, spec, __espalier_strerror(errno));
        return 0;
    case '%':
        put(sink, '%');
        return 0;
    default:
        if (spec->conversion)
            __espalier_approximate("a conversion that printf does not know");
        errno = EINVAL;
        return -1;
    }
}

int __espalier_format_text(char *out, size_t size, const char *format, va_list list) {
    struct sink sink = {out, size ? size - 1 : 0, 0};
    struct arguments arguments = {.positions = 0};
    const char *whole = format;
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
        status = read_spec(&format, &spec, &argument_size);
        if (status == 0 && has_positions(&spec) && !arguments.positions)
            status = read_arguments(&arguments, whole);
        if (status == 0) {
            settle_amounts(&spec, &arguments);
            enum type type = type_of(spec.conversion, argument_size);
            status = put_conversion(&sink, &spec, argument_size, argument(&arguments, type, spec.position));
        }
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
