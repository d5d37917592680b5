/* time.h, unistd.h, locale.h and the environment, as far as the answers do not depend on the machine. */

#include "cases.h"
#include <locale.h>
#include <time.h>

CASES(__errno_location) {
    value_of_truth(&errno == __errno_location());
    errno = EDOM;
    value((uint64_t)*__errno_location());
    *__errno_location() = ERANGE;
    line();
}

CASES(difftime) {
    EACH(a, special_longs) EACH(b, special_ints) {
        real(difftime((time_t)a, (time_t)b));
        line();
    }
}

CASES(getpagesize) {
    value((uint64_t)getpagesize());
}

CASES(sleep) {
    value(sleep(0));
}

CASES(usleep) {
    value((uint64_t)usleep(0));
    value((uint64_t)usleep(1));
}

CASES(nanosleep) {
    static const long parts[] = {0, 1, -1, 1000000000, LONG_MIN};
    EACH(nanoseconds, parts) {
        struct timespec wanted = {0, nanoseconds}, left = {7, 7};
        number((uint64_t)(int64_t)nanosleep(&wanted, &left));
        value((uint64_t)left.tv_sec);
    }
    struct timespec negative = {-1, 0};
    value((uint64_t)(int64_t)nanosleep(&negative, NULL));
}

CASES(setlocale) {
    value_of_text(setlocale(LC_ALL, NULL));
    value_of_text(setlocale(LC_ALL, "C"));
    value_of_text(setlocale(LC_NUMERIC, "POSIX"));
    value_of_text(setlocale(LC_CTYPE, NULL));
    EACH(category, special_ints) if (category < 0 || category > 100) value_of_text(setlocale(category, "C"));
}

CASES(localeconv) {
    struct lconv *c = localeconv();
    value_of_text(c->decimal_point);
    value_of_text(c->thousands_sep);
    value_of_text(c->grouping);
    value_of_text(c->int_curr_symbol);
    value_of_text(c->currency_symbol);
    value_of_text(c->mon_decimal_point);
    value_of_text(c->negative_sign);
    value((uint64_t)c->int_frac_digits);
    value((uint64_t)c->p_cs_precedes);
    value((uint64_t)c->int_n_sign_posn);
}

/* ---- The environment: what the program sets itself ---- */

CASES(clearenv) {
    value((uint64_t)clearenv());
    value_of_text(getenv("PATH"));
    value_of_text(getenv("HOME"));
}

CASES(setenv) {
    value((uint64_t)setenv("ONE", "first", 0));
    value_of_text(getenv("ONE"));
    value((uint64_t)setenv("ONE", "second", 0));
    value_of_text(getenv("ONE"));
    value((uint64_t)setenv("ONE", "third", 1));
    value_of_text(getenv("ONE"));
    value((uint64_t)setenv("EMPTY", "", 1));
    value_of_text(getenv("EMPTY"));
    value((uint64_t)(int64_t)setenv("", "x", 1));
    value((uint64_t)(int64_t)setenv("A=B", "x", 1));
    for (char i = 0; i < 20; i++) {
        char name[3] = {'N', (char)('a' + i), 0};
        value((uint64_t)setenv(name, name, 1));
    }
    value_of_text(getenv("Na"));
    value_of_text(getenv("Nt"));
    value_of_text(getenv("N"));
    value_of_text(getenv("Nta"));
}

CASES(getenv) {
    value_of_text(getenv("ONE"));
    value_of_text(getenv("ON"));
    value_of_text(getenv("ONE="));
    value_of_text(getenv(""));
}

CASES(secure_getenv) {
    value_of_text(secure_getenv("ONE"));
    value_of_text(secure_getenv("TWO"));
}

CASES(unsetenv) {
    value((uint64_t)unsetenv("ONE"));
    value_of_text(getenv("ONE"));
    value((uint64_t)unsetenv("ONE"));
    value((uint64_t)(int64_t)unsetenv(""));
    value((uint64_t)(int64_t)unsetenv("A=B"));
    value_of_text(getenv("Nc"));
    value((uint64_t)setenv("ONE", "again", 0));
    value_of_text(getenv("ONE"));
}

CASES(putenv) {
    static char definition[] = "PUT=abc";
    value((uint64_t)putenv(definition));
    value_of_text(getenv("PUT"));
    definition[4] = 'x'; /* the text itself is in the environment */
    value_of_text(getenv("PUT"));
    value((uint64_t)putenv("PUT=other"));
    value_of_text(getenv("PUT"));
    value((uint64_t)putenv("PUT"));
    value_of_text(getenv("PUT"));
}
