#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = {"0", "-1.5e3", "3.14159265358979323846", "0x1.8p3", "1e308", "1e-320", "inf", "nan", ".5x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        double value = strtod(texts[i], &end);
        printf("%g %.17g %e [%s]\n", value, value, value, end);
    }
    printf("%f %10.3f|%-10.2f|%+.1f|%010.4f\n", 2.5, 3.14159, 2.71828, 1.0, -1.5);
    printf("%.0f %.0f %.0f %#.0f\n", 0.5, 1.5, 2.5, 3.0);
    printf("%G %E %.3g %#g\n", 1e-10, 12345.678, 1234567.0, 1.0);
    printf("%f\n", DBL_MAX);
    long double large = strtold("1.1897314953572317650e4932", NULL);
    printf("%Lg %.20Lg %Le\n", large, strtold("0.1", NULL), 1.0L / 3);
    printf("%a %a\n", 1.0, -0.15625);
    printf("%g %g\n", (double)strtof("0.1", NULL), atof("2.5e-3"));
    printf("%g %g %g %g\n", sqrt(2), floor(-1.5), fmod(7, 3), pow(2, 10));
    printf("%d %d\n", (int)lround(2.5), (int)ceil(1.2));
    double whole, part = modf(3.75, &whole);
    int exponent;
    double mantissa = frexp(48, &exponent);
    printf("%g %g %g %d %g\n", whole, part, mantissa, exponent, ldexp(0.5, 4));
    return 0;
}
