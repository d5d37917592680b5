/* strtod and its relatives: decimal and hexadecimal numbers, infinities and NaNs (without payload).
 *
 * Rounding is exact, to nearest even. A short decimal number is one exact multiplication or division of floats, which
 * is also what symbolic digits need. Any other becomes an integer of many words, times a power of two: multiplied by
 * 5^n, or shifted up and divided by 5^n, where the remainders matter only by being zero or not.
 *
 * Limit: of more than MAX_DIGITS significant digits, those behind count only by being zero or not. That is exact for
 * float and double; a long double is off only if its text agrees with a halfway point in all those digits. */

#include "libc.h"

enum { MAX_DIGITS = 800, WORDS = 600, EXPONENT_LIMIT = 100000 };

/* digit[0..count] * 10^power; `rest` tells that non-zero digits were cut off. */
struct decimal {
    unsigned count, rest;
    int power;
    unsigned char digit[MAX_DIGITS];
};

/* significand * 2^(exponent - 63), its top bit set; `half` is the bit below, `rest` whether any bit follows that. */
struct binary {
    uint64_t significand;
    unsigned half, rest;
    int exponent;
};

enum kind { DECIMAL, BINARY, ZERO, INFINITE, NOT_A_NUMBER };

struct number {
    enum kind kind;
    unsigned negative;
    struct decimal decimal;
    struct binary binary;
};

/* ---- From text ---- */

static unsigned begins_with(const char *text, const char *word) {
    for (; *word; word++, text++)
        if (to_lower((unsigned char)*text) != (unsigned char)*word)
            return 0;
    return 1;
}

/* The exponent behind the letter at *s, if one is there; *s moves behind it. */
static int read_exponent(const char **s, char letter) {
    const char *p = *s;
    if (to_lower((unsigned char)*p) != (unsigned char)letter)
        return 0;
    p++;
    unsigned negative = 0;
    if ((*p == '-') | (*p == '+')) {
        negative = *p == '-';
        p++;
    }
    if (digit_value(*p, 10) >= 10)
        return 0;
    int value = 0;
    for (; digit_value(*p, 10) < 10; p++)
        if (value < EXPONENT_LIMIT)
            value = value * 10 + (int)digit_value(*p, 10);
    *s = p;
    return negative ? -value : value;
}

static void drop_leading_zeros(struct decimal *number) {
    unsigned zeros = 0;
    while (zeros < number->count && !number->digit[zeros])
        zeros++;
    number->count -= zeros;
    memmove(number->digit, number->digit + zeros, number->count);
}

static const char *read_decimal(const char *s, struct number *result) {
    struct decimal *number = &result->decimal;
    number->count = number->rest = 0;
    number->power = 0;
    result->kind = DECIMAL;
    for (unsigned point = 0;; s++) {
        if (*s == '.' && !point) {
            point = 1;
            continue;
        }
        unsigned digit = digit_value(*s, 10);
        if (digit >= 10)
            break;
        if (number->count == MAX_DIGITS && !number->digit[0])
            drop_leading_zeros(number);
        if (number->count < MAX_DIGITS) {
            number->digit[number->count++] = (unsigned char)digit;
            number->power -= (int)point;
        } else {
            number->rest |= digit != 0;
            number->power += !point;
        }
    }
    number->power += read_exponent(&s, 'e');
    return s;
}

static const char *read_hexadecimal(const char *s, struct number *result) {
    uint64_t bits = 0;
    unsigned overflow = 0, next = 0, rest = 0; /* `next` is the first digit that did not fit */
    int exponent = 63;
    for (unsigned point = 0;; s++) {
        if (*s == '.' && !point) {
            point = 1;
            continue;
        }
        unsigned digit = digit_value(*s, 16);
        if (digit >= 16)
            break;
        if (!(bits >> 60)) {
            bits = bits << 4 | digit;
            exponent -= point ? 4 : 0;
            continue;
        }
        if (overflow)
            rest |= digit != 0;
        else
            next = digit;
        overflow = 1;
        exponent += point ? 0 : 4;
    }
    exponent += read_exponent(&s, 'p');
    if (!bits) {
        result->kind = ZERO;
        return s;
    }
    unsigned shift = (unsigned)__builtin_clzll(bits);
    uint64_t below = (uint64_t)next << 60; /* the bits that follow `bits` */
    result->kind = BINARY;
    result->binary.significand = bits << shift | (shift ? below >> (64 - shift) : 0);
    below <<= shift;
    result->binary.half = (unsigned)(below >> 63);
    result->binary.rest = rest | (below << 1 != 0);
    result->binary.exponent = exponent - (int)shift;
    return s;
}

static const char *read_nan(const char *s) {
    const char *p = s + 3;
    if (*p != '(')
        return p;
    do
        p++;
    while (digit_value(*p, 36) < 36 || *p == '_');
    return *p == ')' ? p + 1 : s + 3;
}

/* Whether digits begin here, maybe behind a point. */
static int digits_follow(const char *s, unsigned base) {
    return digit_value(*s, base) < base || (*s == '.' && digit_value(s[1], base) < base);
}

static void read_number(const char *text, char **end, struct number *result) {
    const char *s = text;
    result->negative = 0;
    while (is_space((unsigned char)*s))
        s++;
    if ((*s == '-') | (*s == '+')) {
        result->negative = *s == '-';
        s++;
    }
    if (digits_follow(s, 10)) {
        int hexadecimal = *s == '0' && (s[1] | 32) == 'x' && digits_follow(s + 2, 16);
        s = hexadecimal ? read_hexadecimal(s + 2, result) : read_decimal(s, result);
    } else if (begins_with(s, "inf")) {
        result->kind = INFINITE;
        s += begins_with(s, "infinity") ? 8 : 3;
    } else if (begins_with(s, "nan")) {
        result->kind = NOT_A_NUMBER;
        s = read_nan(s);
    } else {
        result->kind = ZERO;
        result->negative = 0;
        s = text;
    }
    if (end)
        *end = (char *)s;
}

/* ---- From decimal to binary, by integers of many words, least significant first ---- */

struct big {
    unsigned used;
    uint32_t word[WORDS];
};

static void multiply_add(struct big *n, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (unsigned i = 0; i < n->used; i++) {
        carry += (uint64_t)n->word[i] * factor;
        n->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        n->word[n->used++] = (uint32_t)carry;
}

static uint32_t divide(struct big *n, uint32_t divisor) {
    uint64_t remainder = 0;
    for (unsigned i = n->used; i--;) {
        remainder = remainder << 32 | n->word[i];
        n->word[i] = (uint32_t)(remainder / divisor);
        remainder %= divisor;
    }
    while (n->used && !n->word[n->used - 1])
        n->used--;
    return (uint32_t)remainder;
}

static void shift_up(struct big *n, unsigned words) {
    memmove(n->word + words, n->word, n->used * sizeof *n->word);
    memset(n->word, 0, words * sizeof *n->word);
    n->used += words;
}

/* For n up to 13. */
static uint32_t power_of_five(unsigned n) {
    uint32_t power = 1;
    while (n--)
        power *= 5;
    return power;
}

/* n * 2^exponent, a little more if `rest` is set. */
static struct binary normalise(const struct big *n, int exponent, unsigned rest) {
    unsigned top = n->used - 1, shift = (unsigned)__builtin_clz(n->word[top]);
    uint64_t high = 0, low = 0; /* the top four words */
    for (unsigned i = 0; i < 2; i++) {
        high = high << 32 | (i <= top ? n->word[top - i] : 0);
        low = low << 32 | (i + 2 <= top ? n->word[top - 2 - i] : 0);
    }
    if (shift) {
        high = high << shift | low >> (64 - shift);
        low <<= shift;
    }
    rest |= low << 1 != 0;
    for (unsigned i = 0; i + 4 <= top; i++)
        rest |= n->word[i] != 0;

    struct binary result = {high, (unsigned)(low >> 63), rest, (int)(32 * top + 31 - shift) + exponent};
    return result;
}

static struct binary to_binary(const struct decimal *number) {
    struct big n;
    n.used = 0;
    for (unsigned i = 0; i < number->count; i++)
        multiply_add(&n, 10, number->digit[i]);

    int power = number->power, exponent = power;
    unsigned rest = number->rest;
    if (power >= 0) {
        for (; power > 13; power -= 13)
            multiply_add(&n, power_of_five(13), 0);
        multiply_add(&n, power_of_five((unsigned)power), 0);
    } else {
        /* 5^p has less than 7p/3 bits, and 66 bits shall remain. */
        unsigned p = (unsigned)-power;
        unsigned wanted = p * 7 / 3 + 66, bits = 32 * (n.used - 1);
        unsigned words = wanted > bits ? (wanted - bits) / 32 + 1 : 0;
        shift_up(&n, words);
        exponent -= (int)(32 * words);
        for (; p > 13; p -= 13)
            rest |= divide(&n, power_of_five(13)) != 0;
        rest |= divide(&n, power_of_five(p)) != 0;
    }
    return normalise(&n, exponent, rest);
}

/* Makes a number zero, infinite or binary that is not so already. */
static void settle(struct number *number) {
    if (number->kind != DECIMAL)
        return;
    struct decimal *decimal = &number->decimal;
    drop_leading_zeros(decimal);
    int magnitude = (int)decimal->count + decimal->power;
    if (!decimal->count) {
        number->kind = ZERO;
        return;
    }
    number->kind = BINARY;
    if (magnitude > 5000 || magnitude < -5100) { /* beyond every format */
        struct binary far = {1ull << 63, 0, 1, magnitude > 0 ? EXPONENT_LIMIT : -EXPONENT_LIMIT};
        number->binary = far;
        return;
    }
    number->binary = to_binary(decimal);
}

/* ---- From binary to a float format ---- */

/* A float's fields: the significand with its leading bit, and the exponent as stored. */
struct fields {
    uint64_t significand;
    unsigned exponent;
};

static struct fields encode(const struct number *number, unsigned precision, int max_exponent) {
    uint64_t top = 1ull << (precision - 1);
    struct fields infinite = {top, 2 * (unsigned)max_exponent + 1}, zero = {0, 0};
    struct fields not_a_number = {top | top >> 1, infinite.exponent};
    if (number->kind == ZERO)
        return zero;
    if (number->kind == INFINITE)
        return infinite;
    if (number->kind == NOT_A_NUMBER)
        return not_a_number;

    const struct binary *value = &number->binary;
    int exponent = value->exponent;
    unsigned drop = 64 - precision;
    if (exponent < 1 - max_exponent) {
        drop += (unsigned)(1 - max_exponent - exponent);
        exponent = 1 - max_exponent;
    }

    uint64_t kept = value->significand;
    unsigned half = value->half, rest = value->rest;
    if (drop > 64) {
        kept = half = 0;
        rest = 1;
    } else if (drop) {
        rest |= half | (kept << 1 << (64 - drop) != 0);
        half = kept >> (drop - 1) & 1;
        kept = kept >> (drop - 1) >> 1;
    }
    unsigned inexact = half | rest;
    if (half & (rest | (unsigned)(kept & 1))) {
        kept++;
        if (kept == top << 1) { /* 0 if the precision is 64 */
            kept = top;
            exponent++;
        }
    }
    if (exponent > max_exponent) {
        errno = ERANGE;
        return infinite;
    }
    if (!(kept & top)) {
        if (inexact)
            errno = ERANGE;
        struct fields subnormal = {kept, 0};
        return subnormal;
    }
    struct fields normal = {kept, (unsigned)(exponent + max_exponent)};
    return normal;
}

/* digits * 10^power where the digits and the power are exact in the format, so that one operation rounds once. */
#define SHORT_NUMBER(type, max_digits, max_power)                                                                      \
    if (number.kind == DECIMAL && number.decimal.count <= (max_digits) && number.decimal.power <= (max_power) &&       \
        number.decimal.power >= -(max_power)) {                                                                        \
        uint64_t digits = 0;                                                                                           \
        type scale = 1;                                                                                                \
        for (unsigned i = 0; i < number.decimal.count; i++)                                                            \
            digits = digits * 10 + number.decimal.digit[i];                                                            \
        int power = number.decimal.power;                                                                              \
        for (int i = power < 0 ? -power : power; i; i--)                                                               \
            scale *= 10;                                                                                               \
        type magnitude = power < 0 ? (type)digits / scale : (type)digits * scale;                                      \
        return number.negative ? -magnitude : magnitude;                                                               \
    }

double __espalier_parse_double(const char *text, char **end) {
    struct number number;
    read_number(text, end, &number);
    SHORT_NUMBER(double, 15, 22)
    settle(&number);
    struct fields fields = encode(&number, 53, 1023);
    union {
        uint64_t bits;
        double value;
    } result;
    result.bits = (fields.significand & ((1ull << 52) - 1)) | (uint64_t)fields.exponent << 52 |
                  (uint64_t)number.negative << 63;
    return result.value;
}

float __espalier_parse_float(const char *text, char **end) {
    struct number number;
    read_number(text, end, &number);
    SHORT_NUMBER(float, 7, 10)
    settle(&number);
    struct fields fields = encode(&number, 24, 127);
    union {
        uint32_t bits;
        float value;
    } result;
    result.bits = ((uint32_t)fields.significand & ((1u << 23) - 1)) | (uint32_t)fields.exponent << 23 |
                  (uint32_t)number.negative << 31;
    return result.value;
}

long double __espalier_parse_long_double(const char *text, char **end) {
    struct number number;
    read_number(text, end, &number);
    SHORT_NUMBER(long double, 19, 27)
    settle(&number);
    struct fields fields = encode(&number, 64, 16383);
    union {
        struct {
            uint64_t significand;
            uint16_t sign_and_exponent;
        } bits;
        long double value;
    } result = {{fields.significand, (uint16_t)(fields.exponent | number.negative << 15)}};
    return result.value;
}

API double strtod(const char *restrict text, char **restrict end) {
    return __espalier_parse_double(text, end);
}

API float strtof(const char *restrict text, char **restrict end) {
    return __espalier_parse_float(text, end);
}

API long double strtold(const char *restrict text, char **restrict end) {
    return __espalier_parse_long_double(text, end);
}

API double atof(const char *text) {
    return __espalier_parse_double(text, NULL);
}
