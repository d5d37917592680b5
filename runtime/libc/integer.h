/* Integers read digit by digit, for strtol and for scanf.
 *
 * Overflow is tested only from the digit on at which it becomes possible, which the number of digits tells without
 * looking at their values: a short number costs no branch here. */

#ifndef ESPALIER_INTEGER_H
#define ESPALIER_INTEGER_H

#include "libc.h"

struct integer {
    unsigned long long limit; /* of the magnitude; a negative signed number may have one more */
    unsigned is_signed, negative, overflow;
    unsigned long long magnitude;
    unsigned long long most; /* the largest magnitude that so many digits can have */
};

static inline struct integer signed_integer(long long limit) {
    struct integer number = {(unsigned long long)limit, 1, 0, 0, 0, 0};
    return number;
}

static inline struct integer unsigned_integer(unsigned long long limit) {
    struct integer number = {limit, 0, 0, 0, 0, 0};
    return number;
}

static inline void add_digit(struct integer *number, unsigned digit, unsigned base) {
    if (number->most <= (number->limit - (base - 1)) / base)
        number->most = number->most * base + (base - 1);
    else if (number->magnitude > (number->limit + (number->is_signed & number->negative) - digit) / base)
        number->overflow = 1;
    if (!number->overflow)
        number->magnitude = number->magnitude * base + digit;
}

/* The value in two's complement; out of range, the nearest one, and ERANGE. */
static inline unsigned long long integer_value(const struct integer *number) {
    if (number->overflow) {
        errno = ERANGE;
        return number->limit + (number->is_signed & number->negative);
    }
    unsigned long long sign = -(unsigned long long)number->negative;
    return (number->magnitude ^ sign) - sign;
}

#endif
