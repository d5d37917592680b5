/* Names that programs compiled with glibc's headers use and musl does not have. See also runtime/libc/fortify.c. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>
#include <wchar.h>

#define API __attribute__((__weak__))

/* ---- The C23 versions of conversions, but for the prefix 0b ---- */

#define INTEGER(type, name)                                                                                            \
    API type __isoc23_##name(const char *restrict text, char **restrict end, int base) {                               \
        return name(text, end, base);                                                                                  \
    }
INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
INTEGER(intmax_t, strtoimax)
INTEGER(uintmax_t, strtoumax)

#define WIDE_INTEGER(type, name)                                                                                       \
    API type __isoc23_##name(const wchar_t *restrict text, wchar_t **restrict end, int base) {                         \
        return name(text, end, base);                                                                                  \
    }
WIDE_INTEGER(long, wcstol)
WIDE_INTEGER(unsigned long, wcstoul)
WIDE_INTEGER(long long, wcstoll)
WIDE_INTEGER(unsigned long long, wcstoull)

API int __isoc23_vfscanf(FILE *restrict stream, const char *restrict format, va_list list) {
    return vfscanf(stream, format, list);
}

API int __isoc23_vscanf(const char *restrict format, va_list list) {
    return vscanf(format, list);
}

API int __isoc23_vsscanf(const char *restrict text, const char *restrict format, va_list list) {
    return vsscanf(text, format, list);
}

API int __isoc23_fscanf(FILE *restrict stream, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int count = vfscanf(stream, format, list);
    va_end(list);
    return count;
}

API int __isoc23_scanf(const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int count = vscanf(format, list);
    va_end(list);
    return count;
}

API int __isoc23_sscanf(const char *restrict text, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

/* ---- Checked calls that fortify.c has not ---- */

static void require(int condition) {
    if (!condition)
        abort();
}

API long __fdelt_chk(long fd) {
    require(fd >= 0 && fd < FD_SETSIZE);
    return fd / (8 * (long)sizeof(long));
}

API int __open_2(const char *path, int flags) {
    require(!(flags & O_CREAT));
    return open(path, flags);
}

API int __open64_2(const char *path, int flags) {
    return __open_2(path, flags);
}

API int __openat_2(int directory, const char *path, int flags) {
    require(!(flags & O_CREAT));
    return openat(directory, path, flags);
}

API int __openat64_2(int directory, const char *path, int flags) {
    return __openat_2(directory, path, flags);
}

API ssize_t __pread_chk(int fd, void *to, size_t count, off_t offset, size_t available) {
    require(count <= available);
    return pread(fd, to, count, offset);
}

API ssize_t __readlink_chk(const char *path, char *to, size_t count, size_t available) {
    require(count <= available);
    return readlink(path, to, count);
}

API char *__getcwd_chk(char *to, size_t count, size_t available) {
    require(count <= available);
    return getcwd(to, count);
}

API char *__realpath_chk(const char *path, char *to, size_t available) {
    require(available >= 4096);
    return realpath(path, to);
}

API size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t count, size_t available) {
    require(count <= available);
    return mbstowcs(to, from, count);
}

API size_t __wcstombs_chk(char *to, const wchar_t *from, size_t count, size_t available) {
    require(count <= available);
    return wcstombs(to, from, count);
}

/* ---- Kinds of floating-point numbers ---- */

#define KINDS(type, suffix)                                                                                            \
    API int __isnan##suffix(type value) {                                                                              \
        return value != value;                                                                                         \
    }                                                                                                                  \
    API int __isinf##suffix(type value) {                                                                              \
        return __builtin_isinf(value) ? (value > 0 ? 1 : -1) : 0;                                                      \
    }                                                                                                                  \
    API int __finite##suffix(type value) {                                                                             \
        return value - value == 0;                                                                                     \
    }
KINDS(double, )
KINDS(float, f)
KINDS(long double, l)

/* ---- Strings ---- */

API void *rawmemchr(const void *bytes, int c) {
    const unsigned char *at = bytes;
    while (*at != (unsigned char)c)
        at++;
    return (void *)at;
}

API char *__strdup(const char *text) {
    return strdup(text);
}

API char *__strndup(const char *text, size_t max) {
    return strndup(text, max);
}

API char *__stpncpy(char *restrict to, const char *restrict from, size_t n) {
    return stpncpy(to, from, n);
}

API char *__strtok_r(char *restrict text, const char *restrict delimiters, char **restrict rest) {
    return strtok_r(text, delimiters, rest);
}

API void *__rawmemchr(const void *bytes, int c) {
    return rawmemchr(bytes, c);
}

API char *__stpcpy(char *restrict to, const char *restrict from) {
    return stpcpy(to, from);
}

API void *__mempcpy(void *restrict to, const void *restrict from, size_t count) {
    return mempcpy(to, from, count);
}

API char *canonicalize_file_name(const char *path) {
    return realpath(path, NULL);
}
