/* string.h, strings.h, ctype.h, sorting, and the small functions of stdlib.h. */

#define _GNU_SOURCE
#include "check.h"
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <search.h>
#include <setjmp.h>

int __espalier_compared(int order, const void *a, const void *b, size_t n);

int __espalier_compared(int order, const void *a, const void *b, size_t n) {
    (void)a, (void)b, (void)n;
    return order;
}

ESP(strlen);
ESP(strnlen);
ESP(strcpy);
ESP(strncpy);
ESP(stpcpy);
ESP(stpncpy);
ESP(strcat);
ESP(strncat);
ESP(strcmp);
ESP(strncmp);
ESP(strcoll);
ESP(strxfrm);
ESP(strcasecmp);
ESP(strncasecmp);
ESP(strchr);
ESP(strrchr);
ESP(index);
ESP(rindex);
ESP(strchrnul);
ESP(strstr);
ESP(strcasestr);
ESP(strspn);
ESP(strcspn);
ESP(strpbrk);
ESP(strtok);
ESP(strtok_r);
ESP(strsep);
ESP(strdup);
ESP(strndup);
ESP(strerror);
ESP(memchr);
ESP(memrchr);
ESP(rawmemchr);
ESP(memcmp);
ESP(bcmp);
ESP(memccpy);
ESP(mempcpy);
ESP(memmem);
ESP(bzero);
ESP(bcopy);
ESP(ffs);
ESP(ffsl);
ESP(ffsll);
size_t esp_strlcpy(char *, const char *, size_t);
size_t esp_strlcat(char *, const char *, size_t);
int esp___xpg_strerror_r(int, char *, size_t);

static int sign(int n) {
    return (n > 0) - (n < 0);
}

static void lengths_and_copies(void) {
    for (int i = 0, count = rounds(8000); i < count; i++, release_all()) {
        char *s = random_string("ab\xff", 12), a[64], b[64], prefix[16];
        size_t n = below(16);
        CHECK(esp_strlen(s) == strlen(s), "\"%s\"", s);
        CHECK(esp_strnlen(s, n) == strnlen(s, n), "\"%s\", %zu", s, n);

        memset(a, '#', sizeof a);
        memset(b, '#', sizeof b);
        CHECK(esp_strcpy(a, s) == a && strcpy(b, s) && !memcmp(a, b, sizeof a), "\"%s\"", s);
        CHECK(esp_stpcpy(a, s) - a == stpcpy(b, s) - b && !memcmp(a, b, sizeof a), "\"%s\"", s);
        CHECK(esp_strncpy(a, s, n) == a && strncpy(b, s, n) && !memcmp(a, b, sizeof a), "\"%s\", %zu", s, n);
        CHECK(esp_stpncpy(a, s, n) - a == stpncpy(b, s, n) - b && !memcmp(a, b, sizeof a), "\"%s\", %zu", s, n);

        memcpy(prefix, "abcdefgh", 9);
        prefix[below(9)] = 0;
        strcpy(a, prefix);
        strcpy(b, prefix);
        CHECK(esp_strcat(a, s) == a && strcat(b, s) && !memcmp(a, b, sizeof a), "\"%s\"", s);
        strcpy(a, prefix);
        strcpy(b, prefix);
        CHECK(esp_strncat(a, s, n) == a && strncat(b, s, n) && !memcmp(a, b, sizeof a), "\"%s\", %zu", s, n);

        memset(a, '#', sizeof a);
        CHECK(esp_strlcpy(a, s, n) == strlen(s), "\"%s\", %zu", s, n);
        CHECK(!n || (strlen(a) == (strlen(s) < n ? strlen(s) : n - 1) && !strncmp(a, s, n - 1)), "\"%s\", %zu", s, n);
        CHECK(a[n] == '#', "\"%s\", %zu", s, n);
        strcpy(a, prefix);
        size_t used = strnlen(prefix, n);
        CHECK(esp_strlcat(a, s, n) == used + strlen(s), "\"%s\", \"%s\", %zu", prefix, s, n);
        snprintf(b, sizeof b, "%s%s", prefix, s);
        if (used < n)
            b[n - 1] = 0;
        else
            strcpy(b, prefix);
        CHECK(!strcmp(a, b), "\"%s\", \"%s\", %zu", prefix, s, n);
        CHECK(esp_strxfrm(a, s, n) == strxfrm(b, s, n), "\"%s\", %zu", s, n);

        char *copy = esp_strdup(s);
        CHECK(!strcmp(copy, s), "\"%s\"", s);
        free(copy);
        copy = esp_strndup(s, n);
        CHECK(strlen(copy) == strnlen(s, n) && !strncmp(copy, s, n), "\"%s\", %zu", s, n);
        free(copy);
    }
}

static void comparisons(void) {
    for (int i = 0, count = rounds(8000); i < count; i++, release_all()) {
        char *a = random_string("aAbB\xe4", 6), *b = one_in(4) ? exact_string(a) : random_string("aAbB\xe4", 6);
        size_t n = below(8), m = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
        CHECK(sign(esp_strcmp(a, b)) == sign(strcmp(a, b)), "\"%s\", \"%s\"", a, b);
        CHECK(sign(esp_strcoll(a, b)) == sign(strcmp(a, b)), "\"%s\", \"%s\"", a, b);
        CHECK(sign(esp_strncmp(a, b, n)) == sign(strncmp(a, b, n)), "\"%s\", \"%s\", %zu", a, b, n);
        CHECK(sign(esp_strcasecmp(a, b)) == sign(strcasecmp(a, b)), "\"%s\", \"%s\"", a, b);
        CHECK(sign(esp_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)), "\"%s\", \"%s\", %zu", a, b, n);
        CHECK(sign(esp_memcmp(a, b, m)) == sign(memcmp(a, b, m)), "\"%s\", \"%s\"", a, b);
        CHECK(!esp_bcmp(a, b, m) == !memcmp(a, b, m), "\"%s\", \"%s\"", a, b);
    }
}

static void searches(void) {
    for (int i = 0, count = rounds(8000); i < count; i++, release_all()) {
        char *s = random_string("aAbc\xff", 10), *part = random_string("aAbc\xff", 3);
        int c = "abc\xff\0z"[below(6)] + (one_in(8) ? 256 : 0);
        size_t n = strlen(s), m = strlen(part);
        CHECK(esp_strchr(s, c) == strchr(s, c), "\"%s\", %d", s, c);
        CHECK(esp_index(s, c) == index(s, c), "\"%s\", %d", s, c);
        CHECK(esp_strrchr(s, c) == strrchr(s, c), "\"%s\", %d", s, c);
        CHECK(esp_rindex(s, c) == rindex(s, c), "\"%s\", %d", s, c);
        CHECK(esp_strchrnul(s, c) == strchrnul(s, c), "\"%s\", %d", s, c);
        CHECK(esp_memchr(s, c, n) == memchr(s, c, n), "\"%s\", %d", s, c);
        CHECK(esp_memrchr(s, c, n) == memrchr(s, c, n), "\"%s\", %d", s, c);
        CHECK(esp_rawmemchr(s, 0) == s + n, "\"%s\"", s);
        CHECK(esp_strstr(s, part) == strstr(s, part), "\"%s\", \"%s\"", s, part);
        CHECK(esp_strcasestr(s, part) == strcasestr(s, part), "\"%s\", \"%s\"", s, part);
        CHECK(esp_memmem(s, n, part, m) == memmem(s, n, part, m), "\"%s\", \"%s\"", s, part);
        CHECK(esp_strspn(s, part) == strspn(s, part), "\"%s\", \"%s\"", s, part);
        CHECK(esp_strcspn(s, part) == strcspn(s, part), "\"%s\", \"%s\"", s, part);
        CHECK(esp_strpbrk(s, part) == strpbrk(s, part), "\"%s\", \"%s\"", s, part);
        char a[16], b[16];
        memset(a, '#', sizeof a);
        memset(b, '#', sizeof b);
        char *end_a = esp_memccpy(a, s, c, n), *end_b = memccpy(b, s, c, n);
        CHECK((end_a ? end_a - a : -1) == (end_b ? end_b - b : -1) && !memcmp(a, b, sizeof a), "\"%s\", %d", s, c);
        CHECK(esp_mempcpy(a, s, n) == a + n && !memcmp(a, s, n), "\"%s\"", s);
        esp_bcopy(a, a + 1, n);
        CHECK(!memcmp(a + 1, s, n), "\"%s\"", s);
        esp_bzero(a + 1, n);
        CHECK(!n || (!a[1] && !memcmp(a + 1, a + 2, n - 1)), "\"%s\"", s);
    }
}

static void tokens(void) {
    for (int i = 0, count = rounds(8000); i < count; i++, release_all()) {
        char *text = random_string("ab,;", 12);
        char *a = exact_string(text), *b = exact_string(text), *rest_a = NULL, *rest_b = NULL, *s = a, *t = b;
        const char *delimiters = (const char *[]){",", ",;", ""}[below(3)];
        for (;;) {
            char *x = esp_strtok_r(s, delimiters, &rest_a), *y = strtok_r(t, delimiters, &rest_b);
            CHECK((x ? x - a : -1) == (y ? y - b : -1), "\"%s\", \"%s\"", text, delimiters);
            if (!x || !y)
                break;
            CHECK(!strcmp(x, y) && rest_a - a == rest_b - b, "\"%s\", \"%s\"", text, delimiters);
            s = t = NULL;
        }
        s = exact_string(text);
        t = exact_string(text);
        char *x = esp_strtok(s, delimiters), *y = strtok(t, delimiters);
        while (x && y) {
            CHECK(!strcmp(x, y), "\"%s\", \"%s\"", text, delimiters);
            x = esp_strtok(NULL, delimiters);
            y = strtok(NULL, delimiters);
        }
        CHECK(!x && !y, "\"%s\", \"%s\"", text, delimiters);
        s = exact_string(text);
        t = exact_string(text);
        do {
            x = esp_strsep(&s, delimiters);
            y = strsep(&t, delimiters);
            CHECK((!x && !y) || !strcmp(x, y), "\"%s\", \"%s\"", text, delimiters);
        } while (x && y);
    }
}

#define CTYPES(X)                                                                                                      \
    X(isalnum)                                                                                                         \
    X(isalpha) X(isblank) X(iscntrl) X(isdigit) X(isgraph) X(islower) X(isprint) X(ispunct) X(isspace) X(isupper)      \
        X(isxdigit) X(tolower) X(toupper)
#undef isascii
#undef toascii
#define DECLARE(name) ESP(name);
CTYPES(DECLARE)
ESP(isascii);
ESP(toascii);
const unsigned short **esp___ctype_b_loc(void);
const int32_t **esp___ctype_tolower_loc(void), **esp___ctype_toupper_loc(void);
size_t esp___ctype_get_mb_cur_max(void);

static void character_classes(void) {
    for (int c = EOF; c < 256; c++) {
#define COMPARE(name) CHECK(esp_##name(c) == (name)(c), #name "(%d)", c);
        CTYPES(COMPARE)
    }
    for (int c = -300; c < 300; c++)
        CHECK(!esp_isascii(c) == !(c >= 0 && c < 128) && esp_toascii(c) == (c & 127), "%d", c);
    for (int c = -128; c < 256; c++) {
        CHECK((*esp___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "%d", c);
        CHECK((*esp___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "%d", c);
        CHECK((*esp___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "%d", c);
    }
    CHECK(esp___ctype_get_mb_cur_max() == 1, " ");
}

static void error_messages(void) {
    char a[64], b[64];
    for (int i = -3; i < 200; i++) {
        CHECK(!strcmp(esp_strerror(i), strerror(i)), "%d: \"%s\"", i, esp_strerror(i));
        size_t n = 1 + below(sizeof a - 1);
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        extern int __xpg_strerror_r(int, char *, size_t);
        CHECK(esp___xpg_strerror_r(i, a, n) == __xpg_strerror_r(i, b, n) && !strcmp(a, b), "%d, %zu", i, n);
    }
    CHECK(!strcmp(esp_strerror(INT32_MIN), "Unknown error -2147483648"), "%s", esp_strerror(INT32_MIN));
}

ESP(qsort);
ESP(qsort_r);
ESP(bsearch);

struct element {
    int key, position;
    char more[9];
};

static unsigned comparisons_made;

static int by_key(const void *a, const void *b) {
    comparisons_made++;
    const struct element *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_key_in_context(const void *a, const void *b, void *context) {
    ++*(unsigned *)context;
    return by_key(a, b);
}

static void sorting(void) {
    static struct element elements[2000];
    for (int i = 0; i < 600; i++) {
        unsigned n = i < 500 ? below(12) : below(2000), range = 1 + below(2 * n + 1), calls = 0;
        for (unsigned j = 0; j < n; j++)
            elements[j] = (struct element){(int)below(range), (int)j, "12345678"};
        comparisons_made = 0;
        if (one_in(2))
            esp_qsort(elements, n, sizeof *elements, by_key);
        else
            esp_qsort_r(elements, n, sizeof *elements, by_key_in_context, &calls);
        for (unsigned j = 1; j < n; j++)
            CHECK(elements[j - 1].key < elements[j].key ||
                      (elements[j - 1].key == elements[j].key && elements[j - 1].position < elements[j].position),
                  "%u of %u", j, n);
        CHECK(comparisons_made <= n * 11, "%u for %u", comparisons_made, n);

        struct element key = {(int)below(range + 2) - 1, 0, ""};
        struct element *found = esp_bsearch(&key, elements, n, sizeof key, by_key);
        struct element *first = lfind(&key, elements, &(size_t){n}, sizeof key, by_key);
        CHECK(!found == !first && (!found || found->key == key.key), "%d", key.key);
    }
}

ESP(abs);
ESP(labs);
ESP(llabs);
ESP(div);
ESP(ldiv);
ESP(lldiv);
ESP(rand);
ESP(srand);
ESP(random);
ESP(srandom);
ESP(rand_r);

static void small_arithmetic(void) {
    for (int i = 0, count = rounds(8000); i < count; i++) {
        long long x = (long long)random_bits() >> below(63), y = (long long)random_bits() >> below(63);
        if ((int)x != INT32_MIN)
            CHECK(esp_abs((int)x) == abs((int)x), "%d", (int)x);
        CHECK(esp_labs((long)(x >> 1)) == labs((long)(x >> 1)), "%lld", x >> 1);
        CHECK(esp_llabs(x >> 1) == llabs(x >> 1), "%lld", x >> 1);
        CHECK(esp_ffs((int)x) == ffs((int)x) && esp_ffsl((long)x) == ffsl((long)x) && esp_ffsll(x) == ffsll(x), "%lld", x);
        if (!(int)y || (int)y == -1 || !(long)y || y == -1)
            continue;
        div_t a = esp_div((int)x, (int)y), b = div((int)x, (int)y);
        CHECK(a.quot == b.quot && a.rem == b.rem, "%d, %d", (int)x, (int)y);
        ldiv_t c = esp_ldiv((long)x, (long)y), d = ldiv((long)x, (long)y);
        CHECK(c.quot == d.quot && c.rem == d.rem, "%ld, %ld", (long)x, (long)y);
        lldiv_t e = esp_lldiv(x, y), f = lldiv(x, y);
        CHECK(e.quot == f.quot && e.rem == f.rem, "%lld, %lld", x, y);
    }
}

static void random_numbers(void) {
    for (int i = 0; i < 200; i++)
        CHECK(esp_rand() == rand(), "unseeded, %d", i);
    for (int i = 0; i < 100; i++) {
        unsigned seed = i < 3 ? (unsigned)i : (unsigned)random_bits();
        unsigned a = seed, b = seed;
        esp_srand(seed);
        srand(seed);
        for (int j = 0; j < 50; j++)
            CHECK(esp_rand() == rand() && esp_random() == random(), "seed %u, %d", seed, j);
        for (int j = 0; j < 20; j++)
            CHECK(esp_rand_r(&a) == rand_r(&b) && a == b, "seed %u, %d", seed, j);
    }
    esp_srandom(7);
    srandom(7);
    CHECK(esp_random() == random(), " ");
}

ESP(getenv);
ESP(setenv);
ESP(putenv);
ESP(system);
ESP(atexit);
ESP(setlocale);
ESP(localeconv);
ESP(reallocarray);
extern int *esp___errno_location(void);
extern char **esp_environ;
void esp___espalier_run_atexit(void);

static char order[16];

static void first_handler(void) {
    strcat(order, "1");
}

static void registers_another(void) {
    strcat(order, "2");
    esp_atexit(first_handler);
}

static void environment(void) {
    CHECK(!esp_getenv("PATH") && !*esp_environ, " ");
    CHECK(esp_setenv("A", "b", 1) == 0 && !strcmp(esp_getenv("A"), "b"), " ");
    CHECK(esp_putenv((char *)"A=c") == 0 && !strcmp(esp_getenv("A"), "c"), " ");
    CHECK(esp_system(NULL) == 0 && esp_system("true") == -1 && *esp___errno_location() == ENOSYS, " ");
    CHECK(!strcmp(esp_setlocale(LC_ALL, NULL), "C") && !strcmp(esp_setlocale(LC_ALL, ""), "C"), " ");
    CHECK(esp_setlocale(LC_ALL, "C") && esp_setlocale(LC_ALL, "POSIX") && !esp_setlocale(LC_ALL, "de_DE"), " ");
    struct lconv *a = esp_localeconv(), *b = localeconv();
    CHECK(!strcmp(a->decimal_point, b->decimal_point) && !strcmp(a->negative_sign, b->negative_sign) &&
              a->int_frac_digits == b->int_frac_digits && a->int_n_sign_posn == b->int_n_sign_posn,
          " ");
    volatile size_t huge = SIZE_MAX / 2;
    CHECK(!esp_reallocarray(NULL, huge, 3) && *esp___errno_location() == ENOMEM, " ");

    esp_atexit(first_handler);
    esp_atexit(registers_another);
    esp_atexit(first_handler);
    esp___espalier_run_atexit();
    CHECK(!strcmp(order, "1211"), "%s", order);
}

/* The test's abort: back into the test. */
static jmp_buf aborted;
_Noreturn void test_abort(void);

void test_abort(void) {
    longjmp(aborted, 1);
}

/* What the engine is told of ends as well. */
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    (void)file, (void)line, (void)message, (void)suffix;
    test_abort();
}

char *esp___strcpy_chk(char *, const char *, size_t), *esp___strcat_chk(char *, const char *, size_t);
char *esp___strncat_chk(char *, const char *, size_t, size_t), *esp___strncpy_chk(char *, const char *, size_t, size_t);
void *esp___memcpy_chk(void *, const void *, size_t, size_t);
int esp___sprintf_chk(char *, int, size_t, const char *, ...);
int esp___snprintf_chk(char *, size_t, int, size_t, const char *, ...);

static void fortified(void) {
#define ABORTS(call) (setjmp(aborted) ? 1 : ((call), 0))
    char a[8];
    for (unsigned n = 0; n < 8; n++) {
        char text[9];
        memset(text, 'x', sizeof text);
        text[n] = 0;
        for (volatile size_t size = 0; size <= 8; size++) {
            CHECK(ABORTS(esp___strcpy_chk(a, text, size)) == (n >= size), "%u into %zu", n, size);
            CHECK(ABORTS(esp___memcpy_chk(a, text, n, size)) == (n > size), "%u into %zu", n, size);
            CHECK(ABORTS(esp___strncpy_chk(a, text, n, size)) == (n > size), "%u into %zu", n, size);
            CHECK(ABORTS(esp___sprintf_chk(a, 1, size, "%s", text)) == (n >= size), "%u into %zu", n, size);
            CHECK(ABORTS(esp___snprintf_chk(a, n, 1, size, "%s", text)) == (n > size), "%u into %zu", n, size);
            if (size >= 2) {
                strcpy(a, "a");
                CHECK(ABORTS(esp___strcat_chk(a, text, size)) == (n + 1 >= size), "%u into %zu", n, size);
                strcpy(a, "a");
                CHECK(ABORTS(esp___strncat_chk(a, text, 3, size)) == ((n < 3 ? n : 3) + 1 >= size), "%u into %zu", n,
                      size);
            }
        }
    }
}

void string_tests(void) {
    run("lengths and copies", lengths_and_copies);
    run("comparisons", comparisons);
    run("searches", searches);
    run("tokens", tokens);
    run("character classes", character_classes);
    run("error messages", error_messages);
    run("sorting", sorting);
    run("small arithmetic", small_arithmetic);
    run("random numbers", random_numbers);
    run("environment and ending", environment);
    run("fortified functions", fortified);
}
