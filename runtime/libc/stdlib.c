/* stdlib.h without memory, sorting and the reading of numbers. */

#include "libc.h"

/* ---- Integer arithmetic ---- */

#define ABSOLUTE(name, type, unsigned_type)                                                                            \
    API type name(type x) {                                                                                            \
        unsigned_type sign = -(unsigned_type)(x < 0);                                                                  \
        return (type)(((unsigned_type)x ^ sign) - sign);                                                               \
    }

ABSOLUTE(abs, int, unsigned)
ABSOLUTE(labs, long, unsigned long)
ABSOLUTE(llabs, long long, unsigned long long)
ABSOLUTE(imaxabs, intmax_t, uintmax_t)

#define DIVISION(name, type)                                                                                           \
    struct name##_result {                                                                                             \
        type quotient, remainder;                                                                                      \
    };                                                                                                                 \
    API struct name##_result name(type x, type y) {                                                                    \
        struct name##_result result = {x / y, x % y};                                                                  \
        return result;                                                                                                 \
    }

DIVISION(div, int)
DIVISION(ldiv, long)
DIVISION(lldiv, long long)
DIVISION(imaxdiv, intmax_t)

/* ---- Random numbers: glibc's additive generator, so that a native replay draws the same ---- */

enum { DEGREE = 31, DISTANCE = 3, WARM_UP = 310 };

static uint32_t history[DEGREE];
static unsigned next_slot, seeded;

static uint32_t draw(void) {
    uint32_t sum = history[next_slot] + history[(next_slot + DEGREE - DISTANCE) % DEGREE];
    history[next_slot] = sum;
    next_slot = (next_slot + 1) % DEGREE;
    return sum >> 1;
}

static void seed_generator(uint32_t seed) {
    seeded = 1;
    next_slot = DISTANCE;
    int64_t word = seed ? (int32_t)seed : 1;
    for (unsigned i = 0; i < DEGREE; i++) {
        history[i] = (uint32_t)word;
        word = 16807 * word % 2147483647;
        word += 2147483647 & -(int64_t)(word < 0);
    }
    for (unsigned i = 0; i < WARM_UP; i++)
        draw();
}

static uint32_t draw_seeded(void) {
    if (!seeded)
        seed_generator(1);
    return draw();
}

API int rand(void) {
    return (int)draw_seeded();
}

API long random(void) {
    return (long)draw_seeded();
}

API void srand(unsigned seed) {
    seed_generator(seed);
}

API void srandom(unsigned seed) {
    seed_generator(seed);
}

static unsigned step(unsigned *state) {
    *state = *state * 1103515245 + 12345;
    return *state >> 16;
}

API int rand_r(unsigned *state) {
    unsigned high = step(state) % 2048;
    unsigned middle = step(state) % 1024;
    unsigned low = step(state) % 1024;
    return (int)(high << 20 ^ middle << 10 ^ low);
}

/* ---- Environment: empty, and it cannot be changed ---- */

static char *no_environment[1];
API char **environ = no_environment;
API char **__environ = no_environment;

API char *getenv(const char *name) {
    __espalier_approximate("environment");
    (void)name;
    return NULL;
}

API char *secure_getenv(const char *name) {
    __espalier_approximate("environment");
    (void)name;
    return NULL;
}

API int setenv(const char *name, const char *value, int overwrite) {
    (void)name;
    (void)value;
    (void)overwrite;
    errno = ENOMEM;
    return -1;
}

API int putenv(char *definition) {
    (void)definition;
    errno = ENOMEM;
    return -1;
}

API int unsetenv(const char *name) {
    (void)name;
    return 0;
}

API int clearenv(void) {
    return 0;
}

API int system(const char *command) {
    if (!command)
        return 0;
    errno = ENOSYS;
    return -1;
}

/* ---- Ending ---- */

enum { MAX_HANDLERS = 256 };

static void (*handlers[MAX_HANDLERS])(void);
static unsigned handler_count;

API int atexit(void (*handler)(void)) {
    if (handler_count == MAX_HANDLERS)
        return -1;
    handlers[handler_count++] = handler;
    return 0;
}

/* Called by the engine when main returns and in exit(). A handler may register others. */
void __espalier_run_atexit(void) {
    while (handler_count)
        handlers[--handler_count]();
}

API NORETURN void _Exit(int status) {
    _exit(status);
}

/* ---- Memory ---- */

API void *reallocarray(void *pointer, size_t n, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(n, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(pointer, total);
}
