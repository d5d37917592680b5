/* math.h: results and errno. */

#include "cases.h"
#include <float.h>
#include <math.h>

static const double doubles[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 0.49999999999999994, 1e-5, 3.0, -7.0, 10.0, 1e10, -1e10, 1e15,
    4503599627370495.5, 4503599627370497.0, 9007199254740993.0, 9.3e18, -9.3e18, 2147483647.5, -2147483649.0, 1e300, -1e300, 1e-300, 700.0, 710.0, -745.0,
    -746.0, -708.5, 1024.0, -1075.0, DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN, 0x1p-1074, -0x1p-1074, 0x0.8p-1022, INFINITY, -INFINITY, NAN, M_PI, M_PI_2, 1e22, 171.5, 172.0, 2.0, -2.0, 1.0000000000000002, 0.9999999999999999,
};
static const float floats[] = {
    0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 1.5f, -2.5f, 0.49999997f, 8388607.5f, 8388609.0f, 2147483648.0f, -2147483904.0f, 9.3e18f, 3e38f, -3e38f, 1e-38f,
    88.0f, 89.0f, -103.0f, -104.0f, 128.0f, -150.0f, FLT_MAX, -FLT_MAX, FLT_MIN, 0x1p-149f, -0x1p-149f, INFINITY, -INFINITY, NAN, 2.0f, -2.0f, 3.1415927f, 1e10f,
};

#define ONE(name)                                                                                                      \
    CASES(name) {                                                                                                      \
        EACH(x, doubles) {                                                                                             \
            real(name(x));                                                                                             \
            line();                                                                                                    \
        }                                                                                                              \
        for (int i = 0; i < 100; i++) {                                                                                \
            uint64_t bits = random_bits();                                                                             \
            double x;                                                                                                  \
            memcpy(&x, &bits, sizeof x);                                                                               \
            real(name(x));                                                                                             \
            line();                                                                                                    \
            real(name((double)(int64_t)bits / 1e17));                                                                  \
            line();                                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    CASES(name##f) {                                                                                                   \
        EACH(x, floats) {                                                                                              \
            real_float(name##f(x));                                                                                    \
            line();                                                                                                    \
        }                                                                                                              \
        for (int i = 0; i < 100; i++) {                                                                                \
            uint32_t bits = (uint32_t)random_bits();                                                                   \
            float x;                                                                                                   \
            memcpy(&x, &bits, sizeof x);                                                                               \
            real_float(name##f(x));                                                                                    \
            line();                                                                                                    \
        }                                                                                                              \
    }

ONE(sqrt)
ONE(floor)
ONE(ceil)
ONE(trunc)
ONE(round)
ONE(rint)
ONE(nearbyint)
double roundeven(double);
float roundevenf(float);
ONE(roundeven)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(exp)
ONE(exp2)
ONE(exp10)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(cbrt)

/* The sign of a NaN is defined for these. */
CASES(fabs) {
    EACH(x, doubles) {
        bits_of_double(fabs(x));
        bits_of_double(fabs(-x));
        line();
    }
}

CASES(fabsf) {
    EACH(x, floats) {
        bits_of_float(fabsf(x));
        bits_of_float(fabsf(-x));
        line();
    }
}

CASES(copysign) {
    EACH(x, doubles) EACH(y, doubles) {
        bits_of_double(copysign(x, y));
        line();
    }
}

CASES(copysignf) {
    EACH(x, floats) EACH(y, floats) {
        bits_of_float(copysignf(x, y));
        line();
    }
}

#define TWO(name)                                                                                                      \
    CASES(name) {                                                                                                      \
        EACH(x, doubles) EACH(y, doubles) {                                                                            \
            real(name(x, y));                                                                                          \
            line();                                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    CASES(name##f) {                                                                                                   \
        EACH(x, floats) EACH(y, floats) {                                                                              \
            real_float(name##f(x, y));                                                                                 \
            line();                                                                                                    \
        }                                                                                                              \
    }

TWO(fmod)
TWO(pow)
TWO(atan2)
TWO(hypot)

/* C leaves open which zero it is if both are. */
static double without_sign_of_zero(double x) {
    return x == 0 ? 0 : x;
}

#define EXTREME(name)                                                                                                  \
    CASES(name) {                                                                                                      \
        EACH(x, doubles) EACH(y, doubles) {                                                                            \
            real(without_sign_of_zero(name(x, y)));                                                                    \
            line();                                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    CASES(name##f) {                                                                                                   \
        EACH(x, floats) EACH(y, floats) {                                                                              \
            real(without_sign_of_zero((double)name##f(x, y)));                                                         \
            line();                                                                                                    \
        }                                                                                                              \
    }

EXTREME(fmin)
EXTREME(fmax)

CASES(fma) {
    static const double few[] = {0.0, -0.0, 1.0, -1.0, 0.1, 1e300, -1e300, 0x1p-1074, 0x1.0000000000001p0, 0x1p53, INFINITY, -INFINITY, NAN, 3.0};
    EACH(x, few) EACH(y, few) EACH(z, few) {
        real(fma(x, y, z));
        line();
    }
}

CASES(fmaf) {
    static const float few[] = {0.0f, -0.0f, 1.0f, 0.1f, 1e30f, -1e30f, 0x1p-149f, 0x1.000002p0f, 0x1p24f, INFINITY, NAN};
    EACH(x, few) EACH(y, few) EACH(z, few) {
        real_float(fmaf(x, y, z));
        line();
    }
}

/* ---- To integers: what does not fit is left open by C, and is what the machine gives ---- */

#define INTEGER(name)                                                                                                  \
    CASES(name) {                                                                                                      \
        EACH(x, doubles) value((uint64_t)name(x));                                                                     \
    }                                                                                                                  \
    CASES(name##f) {                                                                                                   \
        EACH(x, floats) value((uint64_t)name##f(x));                                                                   \
    }

INTEGER(lrint)
INTEGER(llrint)
INTEGER(lround)
INTEGER(llround)

static const int exponents[] = {0, 1, -1, 10, 52, -52, 100, -100, 1023, 1024, -1022, -1074, -1075, 2098, -2098, 5000, -5000, INT_MAX, INT_MIN};

#define SCALE(name)                                                                                                    \
    CASES(name) {                                                                                                      \
        EACH(x, doubles) EACH(n, exponents) {                                                                          \
            real(name(x, n));                                                                                          \
            line();                                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    CASES(name##f) {                                                                                                   \
        EACH(x, floats) EACH(n, exponents) {                                                                           \
            real_float(name##f(x, n));                                                                                 \
            line();                                                                                                    \
        }                                                                                                              \
    }

SCALE(ldexp)
SCALE(scalbn)

/* ---- Kinds ---- */

#undef isnan
#undef isinf
#undef finite

#define KIND(name)                                                                                                     \
    int name(double);                                                                                                  \
    int name##f(float);                                                                                                \
    CASES(name) {                                                                                                      \
        EACH(x, doubles) value_of_sign(name(x));                                                                       \
        value_of_truth(name(-(double)NAN));                                                                            \
    }                                                                                                                  \
    CASES(name##f) {                                                                                                   \
        EACH(x, floats) value_of_sign(name##f(x));                                                                     \
    }

KIND(isnan)
KIND(isinf)
KIND(finite)
KIND(__isnan)
KIND(__isinf)
KIND(__finite)
KIND(__signbit)

int __fpclassify(double);
int __fpclassifyf(float);

CASES(__fpclassify) {
    EACH(x, doubles) value((uint64_t)__fpclassify(x));
}

CASES(__fpclassifyf) {
    EACH(x, floats) value((uint64_t)__fpclassifyf(x));
}

/* ---- long double, as far as it is done here; musl has functions of its own ---- */

#ifndef MUSL

static const long double long_doubles[] = {
    0.0L, -0.0L, 1.0L, -1.0L, 0.5L, 1.5L, -2.5L, 3.5L, 0.1L, 1e30L, 9223372036854775807.0L, 9223372036854775807.5L, LDBL_MAX, LDBL_MIN, 0x1p-16445L, INFINITY, -INFINITY, NAN, 1e4000L,
};

#define ONE_LONG(name)                                                                                                 \
    CASES(name) {                                                                                                      \
        EACH(x, long_doubles) {                                                                                        \
            real_long(name(x));                                                                                        \
            line();                                                                                                    \
        }                                                                                                              \
    }

ONE_LONG(fabsl)
ONE_LONG(floorl)
ONE_LONG(ceill)
ONE_LONG(truncl)
ONE_LONG(roundl)
ONE_LONG(rintl)
ONE_LONG(nearbyintl)

#define TWO_LONG(name)                                                                                                 \
    CASES(name) {                                                                                                      \
        EACH(x, long_doubles) EACH(y, long_doubles) {                                                                  \
            real_long(name(x, y));                                                                                     \
            line();                                                                                                    \
        }                                                                                                              \
    }

TWO_LONG(copysignl)
TWO_LONG(fmodl)

CASES(lrintl) {
    EACH(x, long_doubles) value((uint64_t)lrintl(x));
}

CASES(llrintl) {
    EACH(x, long_doubles) value((uint64_t)llrintl(x));
}

CASES(lroundl) {
    EACH(x, long_doubles) value((uint64_t)lroundl(x));
}

CASES(llroundl) {
    EACH(x, long_doubles) value((uint64_t)llroundl(x));
}

ONE_LONG(roundevenl)

#define EXTREME_LONG(name)                                                                                             \
    CASES(name) {                                                                                                      \
        EACH(x, long_doubles) EACH(y, long_doubles) {                                                                  \
            long double result = name(x, y);                                                                           \
            real_long(result == 0 ? 0 : result);                                                                       \
            line();                                                                                                    \
        }                                                                                                              \
    }

EXTREME_LONG(fminl)
EXTREME_LONG(fmaxl)

CASES(fmal) {
    EACH(x, long_doubles) EACH(y, long_doubles) {
        real_long(fmal(x, y, 0.1L));
        line();
    }
}
#endif
