/* The floating-point environment: numbers are always rounded to the nearest, and exceptions are not kept, which musl's
 * own functions would not say. */

#include <fenv.h>

/* Notes that a real machine may answer otherwise; from the engine. */
void __espalier_approximate(const char *reason);

static int not_kept(void) {
    __espalier_approximate("floating-point exceptions are not kept");
    return 0;
}

int fesetround(int mode) {
    if (mode == FE_TONEAREST)
        return 0;
    __espalier_approximate("numbers are always rounded to the nearest");
    return -1;
}

int fegetround(void) {
    return FE_TONEAREST;
}

int feclearexcept(int which) {
    (void)which;
    return not_kept();
}

int feraiseexcept(int which) {
    (void)which;
    return not_kept();
}

int fetestexcept(int which) {
    (void)which;
    return not_kept();
}

int fegetenv(fenv_t *environment) {
    *environment = (fenv_t){0};
    return not_kept();
}

int fesetenv(const fenv_t *environment) {
    (void)environment;
    return not_kept();
}
