/* Floats as text, exactly rounded to nearest even at any precision.
 *
 * significand * 2^e is an integer if e >= 0, and with e = -k it is (significand * 5^k) / 10^k: in both cases the
 * decimal digits are those of one integer, kept in words of nine digits, least significant first. */

#include "format.h"

enum {
    /* The smallest long double is a 64-bit integer times 2^-16445: 11515 digits, of which no format has more. */
    WORDS = 1288,
    WORD_DIGITS = 9,
    WORD_BASE = 1000000000,
};

struct digits {
    unsigned used;
    uint32_t word[WORDS];
    int point; /* that many digits are behind the decimal point */
};

static const uint32_t powers_of_ten[WORD_DIGITS] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

static void multiply(struct digits *number, uint32_t factor) {
    uint64_t carry = 0;
    for (unsigned i = 0; i < number->used; i++) {
        carry += (uint64_t)number->word[i] * factor;
        number->word[i] = (uint32_t)(carry % WORD_BASE);
        carry /= WORD_BASE;
    }
    for (; carry; carry /= WORD_BASE)
        number->word[number->used++] = (uint32_t)(carry % WORD_BASE);
}

static void expand(struct digits *number, uint64_t significand, int exponent) {
    number->used = 0;
    number->point = 0;
    while (significand && !(significand & 1)) {
        significand >>= 1;
        exponent++;
    }
    for (; significand; significand /= WORD_BASE)
        number->word[number->used++] = (uint32_t)(significand % WORD_BASE);
    if (!number->used)
        return;
    if (exponent < 0)
        number->point = -exponent;
    for (; exponent >= 29; exponent -= 29)
        multiply(number, 1u << 29);
    for (; exponent > 0; exponent--)
        multiply(number, 2);
    for (; exponent <= -13; exponent += 13)
        multiply(number, 1220703125); /* 5^13 */
    for (; exponent < 0; exponent++)
        multiply(number, 5);
}

/* The digit worth 10^i of the integer. */
static unsigned digit_at(const struct digits *number, int i) {
    if (i < 0 || (unsigned)i / WORD_DIGITS >= number->used)
        return 0;
    return number->word[(unsigned)i / WORD_DIGITS] / powers_of_ten[(unsigned)i % WORD_DIGITS] % 10;
}

static int digit_count(const struct digits *number) {
    int n = (int)number->used * WORD_DIGITS;
    while (n && !digit_at(number, n - 1))
        n--;
    return n;
}

/* Rounds so that the digits below 10^cut may be left out. */
static void round_at(struct digits *number, int cut) {
    if (cut <= 0 || cut > digit_count(number))
        return;
    unsigned half = digit_at(number, cut - 1), rest = 0;
    for (int i = 0; i < cut - 1 && !rest; i++)
        rest = digit_at(number, i);
    if (half < 5 || (half == 5 && !rest && digit_at(number, cut) % 2 == 0))
        return;

    unsigned i = (unsigned)cut / WORD_DIGITS;
    uint32_t carry = powers_of_ten[(unsigned)cut % WORD_DIGITS];
    for (; carry; i++) {
        if (i >= number->used)
            number->word[number->used++] = 0;
        number->word[i] += carry;
        carry = number->word[i] >= WORD_BASE;
        number->word[i] -= carry ? WORD_BASE : 0;
    }
}

/* ---- Layouts ---- */

static const char *sign_of(const struct spec *spec, unsigned negative) {
    return negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
}

static void put_fixed(struct sink *sink, const struct spec *spec, const char *sign, const struct digits *number,
                      int precision) {
    int whole = digit_count(number) - number->point;
    if (whole < 1)
        whole = 1;
    unsigned point = precision > 0 || spec->alternative;
    size_t n = (size_t)whole + point + (size_t)precision;
    put_before(sink, spec, sign, n);
    for (int i = whole; i--;)
        put(sink, (char)('0' + digit_at(number, number->point + i)));
    if (point)
        put(sink, '.');
    for (int i = 1; i <= precision; i++) {
        if (i > number->point) { /* nothing but zeros from here on */
            put_repeated(sink, '0', (size_t)(precision - i) + 1);
            break;
        }
        put(sink, (char)('0' + digit_at(number, number->point - i)));
    }
    put_after(sink, spec, sign, n);
}

static unsigned exponent_text(char *out, char letter, int exponent, unsigned min_digits) {
    unsigned magnitude = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent;
    unsigned digits = 1;
    for (unsigned m = magnitude; m >= 10; m /= 10)
        digits++;
    if (digits < min_digits)
        digits = min_digits;
    out[0] = letter;
    out[1] = exponent < 0 ? '-' : '+';
    for (unsigned i = digits; i--; magnitude /= 10)
        out[2 + i] = (char)('0' + magnitude % 10);
    return 2 + digits;
}

static void put_scientific(struct sink *sink, const struct spec *spec, const char *sign, const struct digits *number,
                           int precision, char letter) {
    int first = digit_count(number) - 1;
    char exponent[8];
    unsigned exponent_length = exponent_text(exponent, letter, first < 0 ? 0 : first - number->point, 2);
    unsigned point = precision > 0 || spec->alternative;
    size_t n = 1 + point + (size_t)precision + exponent_length;
    put_before(sink, spec, sign, n);
    put(sink, (char)('0' + digit_at(number, first)));
    if (point)
        put(sink, '.');
    for (int i = 1; i <= precision; i++) {
        if (i > first) {
            put_repeated(sink, '0', (size_t)(precision - i) + 1);
            break;
        }
        put(sink, (char)('0' + digit_at(number, first - i)));
    }
    put_text(sink, exponent, exponent_length);
    put_after(sink, spec, sign, n);
}

static void put_decimal(struct sink *sink, const struct spec *spec, const char *sign, const struct real *value) {
    struct digits number;
    unsigned upper = spec->conversion < 'a';
    char style = (char)(spec->conversion | 32), letter = upper ? 'E' : 'e';
    int precision = spec->precision < 0 ? 6 : spec->precision;
    expand(&number, value->significand, value->exponent);

    if (style == 'f') {
        round_at(&number, number.point > precision ? number.point - precision : 0);
        put_fixed(sink, spec, sign, &number, precision);
        return;
    }
    if (style == 'g')
        precision = precision ? precision - 1 : 0; /* from here on: digits behind the first */

    int count = digit_count(&number);
    int cut = count - 1 > precision ? count - 1 - precision : 0;
    round_at(&number, cut);
    if (style == 'e') {
        put_scientific(sink, spec, sign, &number, precision, letter);
        return;
    }
    int first = digit_count(&number) - 1;
    int exponent = first < 0 ? 0 : first - number.point;
    int fixed = exponent >= -4 && exponent <= precision;
    if (!spec->alternative) {
        /* No trailing zeros: the last digit that is not 0, counted from the first one. */
        int last = precision < first ? precision : first;
        while (last > 0 && !digit_at(&number, first - last))
            last--;
        precision = last > 0 ? last : 0;
        if (fixed)
            precision = precision > exponent ? precision - exponent : 0;
    } else if (fixed) {
        precision -= exponent;
    }
    if (fixed)
        put_fixed(sink, spec, sign, &number, precision);
    else
        put_scientific(sink, spec, sign, &number, precision, letter);
}

/* As glibc: a double has one bit before the point, a long double its first four. */
static void put_hexadecimal(struct sink *sink, const struct spec *spec, const char *sign, const struct real *value) {
    unsigned upper = spec->conversion < 'a';
    unsigned fraction_bits = value->precision == 53 ? 52 : 60;
    uint64_t significand = value->significand;
    int exponent = significand ? value->exponent + (int)fraction_bits : 0;
    unsigned carried = 0; /* above the 64 bits */

    int digits = (int)fraction_bits / 4, precision = spec->precision;
    if (precision < 0) {
        precision = digits;
        while (precision && !(significand >> (fraction_bits - 4 * (unsigned)precision) & 15))
            precision--;
    } else if (precision < digits) {
        unsigned drop = fraction_bits - 4 * (unsigned)precision;
        uint64_t half = 1ull << (drop - 1), rest = significand & (2 * half - 1);
        significand -= rest;
        if (rest > half || (rest == half && significand & 2 * half)) {
            significand += 2 * half;
            carried = significand < 2 * half;
        }
    }

    char prefix[4], exponent_digits[8];
    unsigned n = 0, point = precision > 0 || spec->alternative;
    for (; *sign; sign++)
        prefix[n++] = *sign;
    prefix[n++] = '0';
    prefix[n++] = upper ? 'X' : 'x';
    prefix[n] = 0;
    unsigned first = (unsigned)(significand >> fraction_bits);
    if (carried) { /* f.ff became 10.00 */
        first = 1;
        exponent += 4;
    }
    unsigned exponent_length = exponent_text(exponent_digits, upper ? 'P' : 'p', exponent, 1);
    size_t length = 1 + point + (size_t)precision + exponent_length;
    const char *alphabet = upper ? "0123456789ABCDEF" : "0123456789abcdef";

    put_before(sink, spec, prefix, length);
    put(sink, alphabet[first]);
    if (point)
        put(sink, '.');
    for (int i = 1; i <= precision; i++)
        put(sink, i > digits ? '0' : alphabet[significand >> (fraction_bits - 4 * (unsigned)i) & 15]);
    put_text(sink, exponent_digits, exponent_length);
    put_after(sink, spec, prefix, length);
}

void __espalier_format_real(struct sink *sink, const struct spec *spec, const struct real *value) {
    const char *sign = sign_of(spec, value->negative);
    unsigned upper = spec->conversion < 'a';
    if (value->kind != REAL_FINITE) {
        struct spec plain = *spec;
        plain.zero = 0;
        put_before(sink, &plain, sign, 3);
        put_text(sink, value->kind == REAL_NAN ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"), 3);
        put_after(sink, &plain, sign, 3);
    } else if ((spec->conversion | 32) == 'a') {
        put_hexadecimal(sink, spec, sign, value);
    } else {
        put_decimal(sink, spec, sign, value);
    }
}
