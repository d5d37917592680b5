/* What glibc's headers call in place of the plain functions under _FORTIFY_SOURCE: the size of the destination is
 * checked first. A violation ends in __chk_fail. The checked functions of streams call the plain ones by name: their
 * caller has included the header, so the names mean what they should. */

#include "libc.h"

extern FILE *stdout;
NORETURN void klee_report_error(const char *file, int line, const char *message, const char *suffix);
int vfprintf(FILE *stream, const char *format, va_list list);
char *fgets(char *line, int size, FILE *stream);
size_t fread(void *to, size_t size, size_t count, FILE *stream);
ssize_t read(int fd, void *to, size_t n);
int vdprintf(int fd, const char *format, va_list list);
int vasprintf(char **out, const char *format, va_list list);

API NORETURN void __chk_fail(void) {
    abort();
}

static void require(size_t needed, size_t available) {
    if (needed > available)
        __chk_fail();
}

/* ---- Memory and strings ---- */

/* KLEE's own library reports this one, in these words. */
API void *__memcpy_chk(void *to, const void *from, size_t n, size_t available) {
    if (n > available)
        klee_report_error(__FILE__, __LINE__, "memcpy overflow", "ptr.err");
    return memcpy(to, from, n);
}

API void *__memmove_chk(void *to, const void *from, size_t n, size_t available) {
    require(n, available);
    return memmove(to, from, n);
}

API void *__memset_chk(void *to, int c, size_t n, size_t available) {
    require(n, available);
    return memset(to, c, n);
}

API void *__mempcpy_chk(void *to, const void *from, size_t n, size_t available) {
    require(n, available);
    memcpy(to, from, n);
    return (char *)to + n;
}

API void __explicit_bzero_chk(void *to, size_t n, size_t available) {
    require(n, available);
    memset(to, 0, n);
}

/* Copies a string with its zero, and returns where that is. */
static char *copy_string(char *to, const char *from, size_t available) {
    size_t n = length(from);
    require(n, available - 1);
    require(1, available);
    memcpy(to, from, n + 1);
    return to + n;
}

API char *__strcpy_chk(char *to, const char *from, size_t available) {
    copy_string(to, from, available);
    return to;
}

API char *__stpcpy_chk(char *to, const char *from, size_t available) {
    return copy_string(to, from, available);
}

API char *__strcat_chk(char *to, const char *from, size_t available) {
    size_t used = bounded_length(to, available);
    copy_string(to + used, from, available - used);
    return to;
}

API char *__strncat_chk(char *to, const char *from, size_t max, size_t available) {
    size_t used = bounded_length(to, available), n = bounded_length(from, max);
    require(1, available - used);
    require(n, available - used - 1);
    memcpy(to + used, from, n);
    to[used + n] = 0;
    return to;
}

static char *copy_padded(char *to, const char *from, size_t n) {
    size_t used = bounded_length(from, n);
    memcpy(to, from, used);
    memset(to + used, 0, n - used);
    return to + used;
}

API char *__strncpy_chk(char *to, const char *from, size_t n, size_t available) {
    require(n, available);
    copy_padded(to, from, n);
    return to;
}

API char *__stpncpy_chk(char *to, const char *from, size_t n, size_t available) {
    require(n, available);
    return copy_padded(to, from, n);
}

static size_t copy_truncated(char *to, const char *from, size_t size) {
    size_t n = length(from);
    if (size) {
        size_t kept = n < size ? n : size - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return n;
}

API size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t available) {
    require(size, available);
    return copy_truncated(to, from, size);
}

API size_t __strlcat_chk(char *to, const char *from, size_t size, size_t available) {
    require(size, available);
    size_t used = bounded_length(to, size);
    return used + copy_truncated(to + used, from, size - used);
}

/* ---- Formatting to memory ---- */

static int format_checked(char *out, size_t available, const char *format, va_list list) {
    require(1, available);
    int n = __espalier_format_text(out, available, format, list);
    if (n >= 0)
        require((size_t)n, available - 1);
    return n;
}

API int __vsprintf_chk(char *out, int flag, size_t available, const char *format, va_list list) {
    (void)flag;
    return format_checked(out, available, format, list);
}

API int __vsnprintf_chk(char *out, size_t size, int flag, size_t available, const char *format, va_list list) {
    (void)flag;
    require(size, available);
    return __espalier_format_text(out, size, format, list);
}

API int __sprintf_chk(char *out, int flag, size_t available, const char *format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int n = format_checked(out, available, format, list);
    va_end(list);
    return n;
}

API int __snprintf_chk(char *out, size_t size, int flag, size_t available, const char *format, ...) {
    (void)flag;
    require(size, available);
    va_list list;
    va_start(list, format);
    int n = __espalier_format_text(out, size, format, list);
    va_end(list);
    return n;
}

API int __vasprintf_chk(char **out, int flag, const char *format, va_list list) {
    (void)flag;
    return vasprintf(out, format, list);
}

API int __asprintf_chk(char **out, int flag, const char *format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int n = vasprintf(out, format, list);
    va_end(list);
    return n;
}

/* ---- Streams ---- */

API int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list list) {
    (void)flag;
    return vfprintf(stream, format, list);
}

API int __vprintf_chk(int flag, const char *format, va_list list) {
    (void)flag;
    return vfprintf(stdout, format, list);
}

API int __vdprintf_chk(int fd, int flag, const char *format, va_list list) {
    (void)flag;
    return vdprintf(fd, format, list);
}

API int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int n = vfprintf(stream, format, list);
    va_end(list);
    return n;
}

API int __printf_chk(int flag, const char *format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int n = vfprintf(stdout, format, list);
    va_end(list);
    return n;
}

API int __dprintf_chk(int fd, int flag, const char *format, ...) {
    (void)flag;
    va_list list;
    va_start(list, format);
    int n = vdprintf(fd, format, list);
    va_end(list);
    return n;
}

API char *__fgets_chk(char *line, size_t available, int size, FILE *stream) {
    require(size > 0 ? (size_t)size : 0, available);
    return fgets(line, size, stream);
}

API size_t __fread_chk(void *to, size_t available, size_t size, size_t count, FILE *stream) {
    size_t total;
    require(__builtin_mul_overflow(size, count, &total) ? SIZE_MAX : total, available);
    return fread(to, size, count, stream);
}

API ssize_t __read_chk(int fd, void *to, size_t n, size_t available) {
    require(n, available);
    return read(fd, to, n);
}
