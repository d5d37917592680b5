/* Intrinsics that no C says; they are functions of intrinsics.ll. A section is called as the intrinsic, with _ for the dots. */

#include "cases.h"
#include <float.h>
#include <math.h>

static const double doubles[] = {
    0.0, -0.0, 0.5, -0.5, 1.5, 2147483647.0, 2147483647.5, 2147483648.0, -2147483648.0, -2147483649.0, 4294967295.0, 4294967296.0, -1.0, 1e300, -1e300, DBL_MIN,
    INFINITY, -INFINITY, NAN,
};

int sshl_sat(int, int), ushl_sat(int, int), scmp(int, int), ucmp(int, int);

/* Shifts by less than the width only. */
#define SHIFT(name)                                                                                                    \
    CASES(llvm_##name) {                                                                                               \
        EACH(a, special_ints) for (int b = 0; b < 32; b++) value((uint64_t)name(a, b));                                \
    }

SHIFT(sshl_sat)
SHIFT(ushl_sat)

#define COMPARE(name)                                                                                                  \
    CASES(llvm_##name) {                                                                                               \
        EACH(a, special_ints) EACH(b, special_ints) value((uint64_t)name(a, b));                                       \
    }

COMPARE(scmp)
COMPARE(ucmp)

int fptosi_sat(double), fptoui_sat(double);

CASES(llvm_fptosi_sat) {
    EACH(x, doubles) value((uint64_t)fptosi_sat(x));
}

CASES(llvm_fptoui_sat) {
    EACH(x, doubles) value((uint64_t)fptoui_sat(x));
}

double minimum(double, double), maximum(double, double);

/* They know which zero is the lesser one. */
#define EXTREME(name)                                                                                                  \
    CASES(llvm_##name) {                                                                                               \
        EACH(x, doubles) EACH(y, doubles) {                                                                            \
            real(name(x, y));                                                                                          \
            line();                                                                                                    \
        }                                                                                                              \
    }

EXTREME(minimum)
EXTREME(maximum)

double fmuladd(double, double, double), arithmetic_fence(double);

/* Where the machine need not fuse it does not. */
CASES(llvm_fmuladd) {
    EACH(x, doubles) EACH(y, doubles) {
        real(fmuladd(x, y, 0.1));
        line();
    }
}

CASES(llvm_arithmetic_fence) {
    EACH(x, doubles) {
        real(arithmetic_fence(x));
        line();
    }
}

int annotation(int);
void *ptr_annotation(void *), *launder(void *), *strip(void *);
int invariant(int *);

CASES(llvm_annotation) {
    EACH(x, special_ints) value((uint64_t)annotation(x));
}

CASES(llvm_ptr_annotation) {
    value_of_place(ptr_annotation(area + 3), area);
}

CASES(llvm_launder_invariant_group) {
    value_of_place(launder(area + 3), area);
}

CASES(llvm_strip_invariant_group) {
    value_of_place(strip(area + 3), area);
}

CASES(llvm_invariant_start) {
    EACH(x, special_ints) {
        int object = x;
        value((uint64_t)invariant(&object));
    }
}

CASES(llvm_invariant_end) {
    int object = 7;
    value((uint64_t)invariant(&object));
}

void nothing(void);

CASES(llvm_donothing) {
    nothing();
    line();
}

CASES(llvm_sideeffect) {
    nothing();
    line();
}

int rounding(void);

CASES(llvm_get_rounding) {
    value((uint64_t)rounding());
}

int reduce(int, const int *);

#define REDUCE(name, which)                                                                                            \
    CASES(llvm_vector_reduce_##name) {                                                                                 \
        for (size_t i = 0; i + 4 <= COUNT(special_ints); i++)                                                          \
            value((uint64_t)reduce(which, special_ints + i));                                                          \
    }

REDUCE(add, 0)
REDUCE(mul, 1)
REDUCE(and, 2)
REDUCE(or, 3)
REDUCE(xor, 4)
REDUCE(smax, 5)
REDUCE(smin, 6)
REDUCE(umax, 7)
REDUCE(umin, 8)

/* ---- Mathematics: errno is left out, as the compiler may leave it ---- */

#define ONE(name)                                                                                                      \
    double intrinsic_##name(double);                                                                                   \
    CASES(llvm_##name) {                                                                                               \
        EACH(x, doubles) {                                                                                             \
            double result = intrinsic_##name(x);                                                                       \
            errno = 0;                                                                                                 \
            real(result);                                                                                              \
            line();                                                                                                    \
        }                                                                                                              \
    }

ONE(sqrt)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(exp)
ONE(exp2)
ONE(exp10)
ONE(log)
ONE(log2)
ONE(log10)
ONE(acos)
ONE(asin)
ONE(atan)
ONE(cosh)
ONE(sinh)
ONE(tanh)

double intrinsic_pow(double, double), intrinsic_ldexp(double, int);

CASES(llvm_pow) {
    EACH(x, doubles) EACH(y, doubles) {
        double result = intrinsic_pow(x, y);
        errno = 0;
        real(result);
        line();
    }
}

CASES(llvm_ldexp) {
    EACH(x, doubles) EACH(n, special_ints) {
        double result = intrinsic_ldexp(x, n);
        errno = 0;
        real(result);
        line();
    }
}

unsigned short convert_to_fp16(float);
float convert_from_fp16(unsigned short);

CASES(llvm_convert_to_fp16) {
    EACH(x, doubles) if (x == x) value(convert_to_fp16((float)x));
    for (int i = 0; i < 40; i++)
        value(convert_to_fp16((float)i * 0.0001234f * (float)(1 << i % 30)));
}

CASES(llvm_convert_from_fp16) {
    for (unsigned i = 0; i < 65536; i += 97) {
        real_float(convert_from_fp16((unsigned short)i));
        line();
    }
}
