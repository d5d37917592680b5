// float and double.
#include <math.h>
void out(long long);
static void outd(double x) { union { double d; long long i; } u = {x}; out(x != x ? 0x7ff8 : u.i); }
static void outf(float x) { union { float f; int i; } u = {x}; out(x != x ? 0x7fc0 : u.i); }

static const double values[] = {0.0, -0.0, 1.0, -1.5, 2.5, 3.5, 0.1, 1e10, -1e-10, 1e300, 1e-310, 123456.789, INFINITY, -INFINITY, NAN};
enum { COUNT = sizeof values / sizeof *values };

static void one(double x) {
    float f = (float)x;
    outd(-x), outf(f), outd(f), outd(fabs(x)), outd(floor(x)), outd(ceil(x)), outd(trunc(x)), outd(round(x)), outd(rint(x)), outf(floorf(f));
    out(isnan(x)), out(isinf(x)), out(isfinite(x)), out(isnormal(x)), out(!!signbit(x)), out(fpclassify(x)), out(isnan(f)), out(isnormal(f));
    out(__builtin_isfpclass(x, 0x1)), out(__builtin_isfpclass(x, 0x2f)), out(__builtin_isfpclass(x, 0x90)), out(__builtin_isfpclass(f, 0x24c));
    if (x > -1e9 && x < 1e9)
        out((int)x), out((long)x), out((short)(int)x), out(lrint(x)), out(lround(x));
    if (x >= 0 && x < 1e9)
        out((unsigned)x), out((unsigned long)x), outd(sqrt(x)), outf(sqrtf(f));
    outd(__builtin_powi(x, 3)), outd(__builtin_powi(x, -2)), outd(__builtin_fabs(x)), out(x ? 1 : 0), out(!x);
}

static void two(double x, double y) {
    outd(x + y), outd(x - y), outd(x * y), outd(x / y), outf((float)x + (float)y), outf((float)x * (float)y);
    out(x < y), out(x <= y), out(x == y), out(x != y), out(x > y), out(x >= y), out(isunordered(x, y)), out(islessgreater(x, y));
    if (x != y) // the sign of a minimum of zeros is not specified
        outd(fmin(x, y)), outd(fmax(x, y));
    outd(copysign(x, y)), outd(fma(x, y, 1.0)), outd(x < y ? x : y);
    if (isfinite(x) && isfinite(y) && y != 0 && fabs(x) < 1e20)
        outd(fmod(x, y));
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        one(values[i]);
        for (int j = 0; j < COUNT; j++)
            two(values[i], values[j]);
    }
    for (long i = -5; i < 6; i++)
        outd(i * 1e15), outf(i), outd((unsigned long)i), outf((unsigned)i), outd((short)i), outd((_Bool)i);
    outd(__builtin_pow(3.0, 4.0));
    double _Complex z = (1.5 + 2.0i) * (3.0 - 1.0i);
    outd(__real__ z), outd(__imag__ z);
    return 0;
}
