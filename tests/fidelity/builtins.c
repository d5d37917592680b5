/* The intrinsics that clang makes of builtins and of plain C; a section is called as the intrinsic, with _ for the dots. */

#include "cases.h"
#include <float.h>
#include <math.h>

static volatile int keep;

#define UNSIGNED_BITS(name, builtin)                                                                                   \
    CASES(llvm_##name) {                                                                                               \
        EACH(x, special_ints) value((uint64_t)builtin((unsigned)x));                                                   \
        EACH(x, special_longs) value((uint64_t)builtin##ll((unsigned long long)x));                                    \
        for (int i = 0; i < 50; i++)                                                                                   \
            value((uint64_t)builtin##ll(random_bits()));                                                               \
    }

UNSIGNED_BITS(ctpop, __builtin_popcount)

/* Undefined for 0. */
#define COUNT_ZEROS(name, builtin)                                                                                     \
    CASES(llvm_##name) {                                                                                               \
        EACH(x, special_ints) if (x) value((uint64_t)builtin((unsigned)x));                                            \
        EACH(x, special_longs) if (x) value((uint64_t)builtin##ll((unsigned long long)x));                             \
        for (int i = 0; i < 50; i++)                                                                                   \
            value((uint64_t)builtin##ll(random_bits() >> i));                                                          \
    }

COUNT_ZEROS(ctlz, __builtin_clz)
COUNT_ZEROS(cttz, __builtin_ctz)

CASES(llvm_bswap) {
    EACH(x, special_ints) {
        number(__builtin_bswap16((uint16_t)x));
        value(__builtin_bswap32((uint32_t)x));
    }
    EACH(x, special_longs) value(__builtin_bswap64((uint64_t)x));
}

#ifdef NATIVE
static uint64_t reversed(uint64_t x, int width) {
    uint64_t result = 0;
    for (int i = 0; i < width; i++)
        result |= (x >> i & 1) << (width - 1 - i);
    return result;
}
#define __builtin_bitreverse8(x) reversed(x, 8)
#define __builtin_bitreverse16(x) reversed(x, 16)
#define __builtin_bitreverse32(x) reversed(x, 32)
#define __builtin_bitreverse64(x) reversed(x, 64)
#define __builtin_rotateleft32(x, n) ((x) << ((n) & 31) | (x) >> (-(n) & 31))
#define __builtin_rotateright32(x, n) ((x) >> ((n) & 31) | (x) << (-(n) & 31))
#define __builtin_rotateleft64(x, n) ((x) << ((n) & 63) | (x) >> (-(n) & 63))
#define __builtin_rotateright64(x, n) ((x) >> ((n) & 63) | (x) << (-(n) & 63))
#endif

CASES(llvm_bitreverse) {
    EACH(x, special_ints) {
        number(__builtin_bitreverse8((uint8_t)x));
        number(__builtin_bitreverse16((uint16_t)x));
        value(__builtin_bitreverse32((uint32_t)x));
    }
    EACH(x, special_longs) value(__builtin_bitreverse64((uint64_t)x));
}

CASES(llvm_fshl) {
    for (unsigned n = 0; n < 70; n++) {
        number(__builtin_rotateleft32(0x89abcdefu, n));
        value(__builtin_rotateleft64(0x0123456789abcdefull, (unsigned long long)n));
    }
}

CASES(llvm_fshr) {
    for (unsigned n = 0; n < 70; n++) {
        number(__builtin_rotateright32(0x89abcdefu, n));
        value(__builtin_rotateright64(0x0123456789abcdefull, (unsigned long long)n));
    }
}

#define OVERFLOW(name, builtin, type, array)                                                                           \
    static void name##_of_##type(void) {                                                                               \
        EACH(a, array) EACH(b, array) {                                                                                \
            type result;                                                                                               \
            truth(builtin((type)a, (type)b, &result));                                                                 \
            value((uint64_t)result);                                                                                   \
        }                                                                                                              \
    }

typedef unsigned long long wide;
typedef long long signed_wide;
typedef short narrow;

#define ARITHMETIC(operation)                                                                                          \
    OVERFLOW(s##operation, __builtin_##operation##_overflow, int, special_ints)                                        \
    OVERFLOW(s##operation, __builtin_##operation##_overflow, signed_wide, special_longs)                               \
    OVERFLOW(s##operation, __builtin_##operation##_overflow, narrow, special_ints)                                     \
    OVERFLOW(u##operation, __builtin_##operation##_overflow, unsigned, special_ints)                                   \
    OVERFLOW(u##operation, __builtin_##operation##_overflow, wide, special_longs)                                      \
    CASES(llvm_s##operation##_with_overflow) {                                                                         \
        s##operation##_of_int();                                                                                       \
        s##operation##_of_signed_wide();                                                                               \
        s##operation##_of_narrow();                                                                                    \
    }                                                                                                                  \
    CASES(llvm_u##operation##_with_overflow) {                                                                         \
        u##operation##_of_unsigned();                                                                                  \
        u##operation##_of_wide();                                                                                      \
    }

ARITHMETIC(add)
ARITHMETIC(sub)
ARITHMETIC(mul)

/* Builtins that only clang has. */
#ifdef NATIVE
#define __builtin_elementwise_max(a, b) ((a) > (b) ? (a) : (b))
#define __builtin_elementwise_min(a, b) ((a) < (b) ? (a) : (b))
#define __builtin_elementwise_abs(a) ((__typeof__(a))((a) < 0 ? -(uint64_t)(a) : (uint64_t)(a)))
static int saturated_add(int a, int b) {
    long long sum = (long long)a + b;
    return sum > INT_MAX ? INT_MAX : sum < INT_MIN ? INT_MIN : (int)sum;
}
static int saturated_sub(int a, int b) {
    long long sum = (long long)a - b;
    return sum > INT_MAX ? INT_MAX : sum < INT_MIN ? INT_MIN : (int)sum;
}
static unsigned saturated_uadd(unsigned a, unsigned b) {
    return a + b < a ? UINT_MAX : a + b;
}
static unsigned saturated_usub(unsigned a, unsigned b) {
    return a < b ? 0 : a - b;
}
#else
#define saturated_add __builtin_elementwise_add_sat
#define saturated_sub __builtin_elementwise_sub_sat
#define saturated_uadd __builtin_elementwise_add_sat
#define saturated_usub __builtin_elementwise_sub_sat
#endif

#define PAIRS(name, type, operation)                                                                                   \
    CASES(llvm_##name) {                                                                                               \
        EACH(a, special_ints) EACH(b, special_ints) value((uint64_t)operation((type)a, (type)b));                      \
    }

PAIRS(smax, int, __builtin_elementwise_max)
PAIRS(smin, int, __builtin_elementwise_min)
PAIRS(umax, unsigned, __builtin_elementwise_max)
PAIRS(umin, unsigned, __builtin_elementwise_min)
PAIRS(sadd_sat, int, saturated_add)
PAIRS(ssub_sat, int, saturated_sub)
PAIRS(uadd_sat, unsigned, saturated_uadd)
PAIRS(usub_sat, unsigned, saturated_usub)

CASES(llvm_abs) {
    EACH(a, special_ints) value((uint64_t)__builtin_elementwise_abs(a));
    EACH(a, special_longs) value((uint64_t)__builtin_elementwise_abs(a));
}

/* ---- Memory ---- */

struct large {
    char bytes[80];
};

static struct large copied;

CASES(llvm_memcpy) {
    fill_area();
    copied = *(struct large *)(area + 7);
    bytes(&copied, sizeof copied);
    line();
    __builtin_memcpy(area, copied.bytes + 3, 11);
    bytes(area, sizeof area);
    line();
}

CASES(llvm_memcpy_inline) {
    fill_area();
#ifdef NATIVE
    memcpy(area + 1, "abcdefgh", 5);
#else
    __builtin_memcpy_inline(area + 1, "abcdefgh", 5);
#endif
    bytes(area, sizeof area);
    line();
}

CASES(llvm_memset_inline) {
    fill_area();
#ifdef NATIVE
    memset(area + 1, 0x1ff, 5);
#else
    __builtin_memset_inline(area + 1, 0x1ff, 5);
#endif
    bytes(area, sizeof area);
    line();
}

CASES(llvm_memmove) {
    fill_area();
    __builtin_memmove(area + 3, area, 30);
    __builtin_memmove(area + 50, area + 60, 40);
    bytes(area, sizeof area);
    line();
}

CASES(llvm_memset) {
    struct large zeroed = {{0}};
    bytes(&zeroed, sizeof zeroed);
    line();
    fill_area();
    __builtin_memset(area + 2, 0x1ab, 9);
    bytes(area, sizeof area);
    line();
}

/* ---- Variadic functions ---- */

static void sum_twice(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(list, int) + (long)va_arg(list, double);
    number((uint64_t)sum);
    number((uint64_t)va_arg(again, int));
    va_end(again);
    va_end(list);
    line();
}

CASES(llvm_va_start) {
    sum_twice(0, 5, 2.5);
    sum_twice(2, 1, 2.5, 3, 4.5);
    sum_twice(8, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5);
}

CASES(llvm_va_copy) {
    sum_twice(3, -1, 2.5, 3, 4.5, INT_MIN, 1e9);
}

CASES(llvm_va_end) {
    sum_twice(1, 7, 2.5);
}

static int of_array(int n) {
    int sum = 0;
    for (int round = 1; round < 4; round++) {
        int array[n * round];
        for (int i = 0; i < n * round; i++)
            array[i] = i * round;
        sum += array[n * round - 1];
    }
    return sum;
}

CASES(llvm_stacksave) {
    for (int n = 1; n < 9; n++)
        value((uint64_t)of_array(n));
}

CASES(llvm_stackrestore) {
    value((uint64_t)of_array(100));
}

/* ---- Hints ---- */

CASES(llvm_expect) {
    EACH(x, special_ints) value((uint64_t)__builtin_expect(x, 1));
}

CASES(llvm_expect_with_probability) {
    EACH(x, special_ints) value((uint64_t)__builtin_expect_with_probability(x, 1, 0.5));
}

CASES(llvm_assume) {
    EACH(x, special_ints) {
#ifndef NATIVE
        __builtin_assume(keep == 0);
#endif
        value((uint64_t)x);
    }
}

CASES(llvm_prefetch) {
    __builtin_prefetch(area);
    __builtin_prefetch(area, 1, 3);
    value(area[0]);
}

CASES(llvm_clear_cache) {
    __builtin___clear_cache((char *)area, (char *)area + 8);
    value(area[0]);
}

/* A compiler may know nothing here, which is what both say without optimisation. */
CASES(llvm_objectsize) {
    char *unknown = keep ? (char *)area : copied.bytes;
    value(__builtin_object_size(unknown, 0));
    value(__builtin_object_size(unknown, 2));
}

CASES(llvm_is_constant) {
    int unknown = keep;
    value((uint64_t)__builtin_constant_p(unknown));
    value((uint64_t)__builtin_constant_p(7));
}

static _Thread_local int local = 5;

CASES(llvm_threadlocal_address) {
    local += 2;
    value((uint64_t)local);
}

CASES(llvm_ptrmask) {
    static _Alignas(64) char block[128];
#ifdef NATIVE
    value_of_place((char *)((uintptr_t)(block + 77) & ~(uintptr_t)15), block);
#else
    value_of_place(__builtin_align_down(block + 77, 16), block);
#endif
}

CASES(llvm_x86_sse2_pause) {
    __builtin_ia32_pause();
    line();
}

CASES(llvm_x86_sse_sfence) {
    __builtin_ia32_sfence();
    line();
}

CASES(llvm_x86_sse2_lfence) {
    __builtin_ia32_lfence();
    line();
}

CASES(llvm_x86_sse2_mfence) {
    __builtin_ia32_mfence();
    line();
}

CASES(llvm_var_annotation) {
#ifdef NATIVE
    int marked = 3;
#else
    int marked __attribute__((annotate("marked"))) = 3;
#endif
    value((uint64_t)marked);
}

/* ---- Floats ---- */

static const double doubles[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 1e300, -1e300, DBL_MAX, DBL_MIN, 0x1p-1074, INFINITY, -INFINITY, NAN, 9.3e18, -9.3e18, 2147483648.0, -1.0e-300, 4294967295.5,
};

#define ONE(name, builtin)                                                                                             \
    CASES(llvm_##name) {                                                                                               \
        EACH(x, doubles) {                                                                                             \
            real(builtin(x));                                                                                          \
            real_float((float)builtin##f((float)x));                                                                   \
            line();                                                                                                    \
        }                                                                                                              \
    }

ONE(fabs, __builtin_fabs)
ONE(floor, __builtin_floor)
ONE(ceil, __builtin_ceil)
ONE(trunc, __builtin_trunc)
ONE(round, __builtin_round)
ONE(rint, __builtin_rint)
ONE(nearbyint, __builtin_nearbyint)
ONE(roundeven, __builtin_roundeven)

#define TWO(name, builtin)                                                                                             \
    CASES(llvm_##name) {                                                                                               \
        EACH(x, doubles) EACH(y, doubles) {                                                                            \
            double result = builtin(x, y);                                                                             \
            real(result == 0 ? 0 : result); /* which zero is left open */                                              \
            line();                                                                                                    \
        }                                                                                                              \
    }

TWO(minnum, __builtin_fmin)
TWO(maxnum, __builtin_fmax)

CASES(llvm_copysign) {
    EACH(x, doubles) EACH(y, doubles) {
        bits_of_double(__builtin_copysign(x, y));
        bits_of_float(__builtin_copysignf((float)x, (float)y));
        line();
    }
}

CASES(llvm_fma) {
    EACH(x, doubles) EACH(y, doubles) {
        real(__builtin_fma(x, y, 0.1));
        real_float(__builtin_fmaf((float)x, (float)y, -1.0f));
        line();
    }
}

CASES(llvm_is_fpclass) {
    EACH(x, doubles) {
        truth(__builtin_isnan(x));
        truth(__builtin_isinf(x));
        truth(__builtin_isfinite(x));
        truth(__builtin_isnormal(x));
        truth(__builtin_signbit(x));
        value((uint64_t)__builtin_fpclassify(0, 1, 2, 3, 4, x));
    }
}

CASES(llvm_lrint) {
    EACH(x, doubles) value((uint64_t)__builtin_lrint(x));
}

CASES(llvm_llrint) {
    EACH(x, doubles) value((uint64_t)__builtin_llrint(x));
}

CASES(llvm_lround) {
    EACH(x, doubles) value((uint64_t)__builtin_lround(x));
}

CASES(llvm_llround) {
    EACH(x, doubles) value((uint64_t)__builtin_llround(x));
}

/* Multiplied out as the compiler's own library does. */
CASES(llvm_powi) {
    EACH(x, doubles) {
        real(__builtin_powi(x, 3));
        real(__builtin_powi(x, -2));
        real(__builtin_powi(x, 0));
        real(__builtin_powi(x, 10));
        line();
    }
}
