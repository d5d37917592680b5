/* stdio.h without formats: output, whose text is part of the log, and the state of streams. */

#include "cases.h"
#include <stdio.h>

static void printed(long result) {
    fflush(stdout);
    value((uint64_t)result);
}

int _IO_putc(int, FILE *);
int __overflow(FILE *, int);

#define PUT(name)                                                                                                      \
    CASES(name) {                                                                                                      \
        static const int characters[] = {'a', 'Z', ' ', '~', 256 + 'b', '\n'};                                         \
        flush();                                                                                                       \
        EACH(c, characters) printed((name)(c, stdout));                                                                \
    }

PUT(putc)
PUT(fputc)
PUT(putc_unlocked)
PUT(fputc_unlocked)
PUT(_IO_putc)

#ifndef MUSL
CASES(__overflow) {
    flush();
    printed(__overflow(stdout, 'a'));
}
#endif

CASES(putchar) {
    flush();
    printed((putchar)('x'));
    printed((putchar)(256 + 'y'));
}

CASES(putchar_unlocked) {
    flush();
    printed((putchar_unlocked)('x'));
}

static const char *const lines[] = {"", "a", "abc", "two words", "the quick brown fox jumps over the lazy dog"};

/* C leaves open which number it is, if it is not negative; so is the number of puts. */
#define PUT_TEXT(name)                                                                                                 \
    CASES(name) {                                                                                                      \
        EACH(text, lines) {                                                                                            \
            flush();                                                                                                   \
            int result = name(text, stdout);                                                                           \
            fflush(stdout);                                                                                            \
            value_of_truth(result >= 0);                                                                               \
        }                                                                                                              \
    }

PUT_TEXT(fputs)
PUT_TEXT(fputs_unlocked)

CASES(puts) {
    EACH(text, lines) {
        flush();
        int result = puts(text);
        fflush(stdout);
        value_of_truth(result >= 0);
    }
}

#define WRITE_ITEMS(name)                                                                                              \
    CASES(name) {                                                                                                      \
        static const size_t amounts[] = {0, 1, 2, 3, 5};                                                               \
        EACH(size, amounts) EACH(count, amounts) {                                                                     \
            flush();                                                                                                   \
            printed((long)name("abcdefghijklmnopqrstuvwxyz", size, count, stdout));                                    \
        }                                                                                                              \
    }

WRITE_ITEMS(fwrite)
WRITE_ITEMS(fwrite_unlocked)

CASES(write) {
    static const size_t amounts[] = {0, 1, 3, 26};
    flush();
    EACH(n, amounts) value((uint64_t)write(1, "abcdefghijklmnopqrstuvwxyz", n));
}

/* ---- State ---- */

#define QUERY(name, stream)                                                                                            \
    CASES(name) {                                                                                                      \
        value_of_truth((name)(stream));                                                                                \
    }

QUERY(feof, stdout)
QUERY(feof_unlocked, stdout)
QUERY(ferror, stdout)
QUERY(ferror_unlocked, stdout)

CASES(fileno) {
    value((uint64_t)fileno(stdin));
    value((uint64_t)fileno(stdout));
    value((uint64_t)fileno(stderr));
}

CASES(fileno_unlocked) {
    value((uint64_t)fileno_unlocked(stdin));
    value((uint64_t)fileno_unlocked(stdout));
    value((uint64_t)fileno_unlocked(stderr));
}

CASES(clearerr) {
    clearerr(stdout);
    value_of_truth(ferror(stdout));
}

CASES(clearerr_unlocked) {
    clearerr_unlocked(stdout);
    value_of_truth(ferror_unlocked(stdout));
}

CASES(fflush) {
    value((uint64_t)fflush(stdout));
    value((uint64_t)fflush(NULL));
}

CASES(fflush_unlocked) {
    value((uint64_t)fflush_unlocked(stdout));
}

CASES(flockfile) {
    flockfile(stdout);
    funlockfile(stdout);
    line();
}

CASES(ftrylockfile) {
    value((uint64_t)ftrylockfile(stdout));
    funlockfile(stdout);
}

CASES(funlockfile) {
    flockfile(stderr);
    funlockfile(stderr);
    line();
}

CASES(setvbuf) {
    value((uint64_t)(int64_t)setvbuf(stdout, NULL, _IONBF, 0));
    value_of_truth(setvbuf(stdout, NULL, 3, 0));
    value_of_truth(setvbuf(stdout, NULL, -1, 0));
}

CASES(setbuf) {
    setbuf(stdout, NULL);
    line();
}

CASES(setlinebuf) {
    setlinebuf(stdout);
    line();
}

/* Standard error is part of the log here. C leaves open what errno is behind it. */
CASES(perror) {
    flush();
#ifdef NATIVE
    dup2(1, 2);
#endif
    static const int errors[] = {0, ENOENT, EINVAL, 9999};
    static const char *const names[] = {NULL, "", "name"};
    EACH(error, errors) EACH(name, names) {
        errno = error;
        perror(name);
        errno = 0;
        line();
        flush();
    }
}

CASES(fclose) {
    value((uint64_t)fclose(stderr));
}
