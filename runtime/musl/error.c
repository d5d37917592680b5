/* glibc's error.h: messages with the program's name and an error number. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((__weak__))

API void (*error_print_progname)(void);
API unsigned error_message_count;
API int error_one_per_line;

static void report(int status, int number, const char *file, unsigned line, const char *format, va_list list) {
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s:", program_invocation_name);
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    else if (!error_print_progname)
        fputc(' ', stderr);
    vfprintf(stderr, format, list);
    error_message_count++;
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    if (status)
        exit(status);
}

API void error(int status, int number, const char *format, ...) {
    va_list list;
    va_start(list, format);
    report(status, number, NULL, 0, format, list);
    va_end(list);
}

API void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line && last_file && file && last_line == line && !strcmp(last_file, file))
        return;
    last_file = file;
    last_line = line;
    va_list list;
    va_start(list, format);
    report(status, number, file, line, format, list);
    va_end(list);
}
