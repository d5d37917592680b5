/* The little of time.h, unistd.h, signal.h and locale.h that has a fixed answer: time stands still at the epoch, no
 * signal arrives, and the locale is C. */

#include "libc.h"

/* ---- Time ---- */

static void fixed_time(void) {
    __espalier_approximate("clock");
}

typedef long time_t;

/* timeval and timespec: seconds, and micro- or nanoseconds. */
struct time_parts {
    time_t seconds;
    long fraction;
};

API time_t time(time_t *now) {
    fixed_time();
    if (now)
        *now = 0;
    return 0;
}

API long clock(void) {
    fixed_time();
    return 0;
}

API double difftime(time_t end, time_t begin) {
    return (double)end - (double)begin;
}

API int gettimeofday(struct time_parts *restrict now, void *restrict zone) {
    (void)zone;
    fixed_time();
    now->seconds = 0;
    now->fraction = 0;
    return 0;
}

API int clock_gettime(int clock_id, struct time_parts *now) {
    enum { CLOCKS = 12 };
    if ((unsigned)clock_id >= CLOCKS) {
        errno = EINVAL;
        return -1;
    }
    fixed_time();
    now->seconds = 0;
    now->fraction = 0;
    return 0;
}

API int timespec_get(struct time_parts *now, int base) {
    if (base != 1)
        return 0;
    fixed_time();
    now->seconds = 0;
    now->fraction = 0;
    return base;
}

API unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

API int usleep(unsigned microseconds) {
    (void)microseconds;
    return 0;
}

API int nanosleep(const struct time_parts *wanted, struct time_parts *left) {
    (void)left;
    if (wanted->seconds >= 0 && (unsigned long)wanted->fraction < 1000000000)
        return 0;
    errno = EINVAL;
    return -1;
}

/* ---- The process ---- */

enum { PROCESS = 1000, PARENT = 1, USER = 1000, PAGE = 4096 };

static int fixed(int number) {
    __espalier_approximate("process");
    return number;
}

API int getpid(void) {
    return fixed(PROCESS);
}

API int getppid(void) {
    return fixed(PARENT);
}

API unsigned getuid(void) {
    return (unsigned)fixed(USER);
}

API unsigned geteuid(void) {
    return (unsigned)fixed(USER);
}

API unsigned getgid(void) {
    return (unsigned)fixed(USER);
}

API unsigned getegid(void) {
    return (unsigned)fixed(USER);
}

API int getpagesize(void) {
    return PAGE;
}

API int isatty(int fd) {
    __espalier_approximate("terminal");
    errno = fd >= 0 && fd <= 2 ? ENOTTY : EBADF;
    return 0;
}

/* ---- Signals: a handler is called for what the program itself does wrong, by the engine ---- */

typedef void (*handler)(int);

enum { SIGKILL = 9, SIGSTOP = 19, SIGNALS = 65 };

static handler handlers[SIGNALS];

/* Is there a handler for any signal? */
int __espalier_handles;

/* Called by the engine when the program does what raises a signal. If it returns, the program is over. */
void __espalier_run_handler(int signal) {
    static unsigned char running[SIGNALS];
    handler now = handlers[signal];
    if ((uintptr_t)now <= 1)
        return;
    if (running[signal]) {
        __espalier_approximate("the handler of a signal causes the same signal again");
        return;
    }
    running[signal] = 1;
    now(signal);
    running[signal] = 0;
}

static handler set_handler(int signal, handler new) {
    if (signal < 1 || signal >= SIGNALS || signal == SIGKILL || signal == SIGSTOP) {
        errno = EINVAL;
        return (handler)-1;
    }
    handler old = handlers[signal];
    handlers[signal] = new;
    if ((uintptr_t)new > 1) {
        __espalier_handles = 1;
        __espalier_approximate("signals");
    }
    return old;
}

API handler signal(int number, handler new) {
    return set_handler(number, new);
}

API handler __sysv_signal(int number, handler new) {
    return set_handler(number, new);
}

/* ---- Locale ---- */

static char c_locale[] = "C";

static unsigned equal(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

API char *setlocale(int category, const char *name) {
    enum { CATEGORIES = 13 };
    if (category < 0 || category >= CATEGORIES) {
        errno = EINVAL;
        return NULL;
    }
    if (!name || equal(name, "C") || equal(name, "POSIX"))
        return c_locale;
    __espalier_approximate("locale");
    return *name ? NULL : c_locale;
}

struct lconv {
    const char *decimal_point, *thousands_separator, *grouping;
    const char *currency[7];
    char numbers[14];
};

API struct lconv *localeconv(void) {
    static struct lconv c = {
        ".", "", "", {"", "", "", "", "", "", ""}, {[0 ... 13] = CHAR_MAX},
    };
    return &c;
}
