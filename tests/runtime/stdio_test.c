/* Streams, and the functions with a fixed answer. The test stands for the engine: it provides input, and keeps output. */

#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char output[3][4096];
static size_t output_length[3];
static const char *input = "";

void __espalier_output(int fd, const void *bytes, size_t n);
int __espalier_vformat(int fd, const char *format, va_list list);
int esp___espalier_input(int fd);

/* As in libc.h: what natively waits in a buffer. */
enum { BUFFERED = 8 };

void __espalier_output(int fd, const void *bytes, size_t n) {
    fd &= ~BUFFERED;
    memcpy(output[fd] + output_length[fd], bytes, n);
    output_length[fd] += n;
    output[fd][output_length[fd]] = 0;
}

void __espalier_approximate(const char *reason);

void __espalier_approximate(const char *reason) {
    (void)reason;
}

int __espalier_answer(const char *what, int fixed);

int __espalier_answer(const char *what, int fixed) {
    (void)what;
    return fixed;
}

/* Nothing is buffered here. */
void __espalier_flush(int settled);

void __espalier_flush(int settled) {
    (void)settled;
}

int __espalier_vformat(int fd, const char *format, va_list list) {
    char text[1024];
    int n = vsnprintf(text, sizeof text, format, list);
    __espalier_output(fd, text, (size_t)n);
    return n;
}

int esp___espalier_input(int fd) {
    (void)fd;
    return *input ? (unsigned char)*input++ : EOF;
}

extern FILE *esp_stdin, *esp_stdout, *esp_stderr;
extern int *esp___errno_location(void);
#define esp_errno (*esp___errno_location())
ESP(putchar);
ESP(fputc);
ESP(putc);
ESP(puts);
ESP(fputs);
ESP(fwrite);
ESP(printf);
ESP(fprintf);
ESP(dprintf);
ESP(perror);
ESP(write);
ESP(read);
ESP(fflush);
ESP(setvbuf);
ESP(fileno);
ESP(getchar);
ESP(fgetc);
ESP(ungetc);
ESP(fgets);
ESP(fread);
ESP(getline);
ESP(scanf);
ESP(fscanf);
ESP(feof);
ESP(ferror);
ESP(clearerr);
ESP(fopen);
ESP(fclose);
ESP(fseek);
ESP(ftell);
ESP(time);
ESP(clock);
ESP(gettimeofday);
ESP(getpid);
ESP(sleep);
ESP(isatty);
ESP(signal);

static int printed(int fd, const char *expected) {
    int same = output_length[fd] == strlen(expected) && !strcmp(output[fd], expected);
    if (!same)
        fprintf(stderr, "fd %d: \"%s\" instead of \"%s\"\n", fd, output[fd], expected);
    output_length[fd] = 0;
    output[fd][0] = 0;
    return same;
}

static void writing(void) {
    CHECK(esp_putchar('a') == 'a' && esp_fputc('b' + 256, esp_stdout) == 'b' && esp_putc(0xff, esp_stdout) == 0xff, " ");
    CHECK(printed(1, "ab\xff"), " ");
    CHECK(esp_puts("line") == 5 && esp_fputs("text", esp_stdout) == 1, " ");
    CHECK(printed(1, "line\ntext"), " ");
    CHECK(esp_fwrite("abcdef", 2, 3, esp_stderr) == 3 && esp_fwrite("", 0, 3, esp_stderr) == 0, " ");
    CHECK(printed(2, "abcdef"), " ");
    CHECK(esp_printf("%d-%s\n", 12, "x") == 5 && esp_fprintf(esp_stderr, "%c%5.2f", 'e', 1.5) == 6, " ");
    CHECK(esp_dprintf(1, "%s", "d") == 1 && esp_dprintf(7, "d") == -1 && esp_errno == EBADF, " ");
    CHECK(printed(1, "12-x\nd") && printed(2, "e 1.50"), " ");
    CHECK(esp_write(1, "raw", 2) == 2 && esp_write(2, "raw", 3) == 3 && esp_write(5, "raw", 3) == -1, " ");
    CHECK(printed(1, "ra") && printed(2, "raw"), " ");
    esp_errno = ENOENT;
    esp_perror("file");
    esp_perror(NULL);
    CHECK(printed(2, "file: No such file or directory\nNo such file or directory\n"), " ");
    CHECK(esp_fputc('x', esp_stdin) == EOF && esp_ferror(esp_stdin) && esp_errno == EBADF, " ");
    esp_clearerr(esp_stdin);
    CHECK(!esp_ferror(esp_stdin) && printed(1, ""), " ");
    CHECK(esp_fflush(NULL) == 0 && esp_setvbuf(esp_stdout, NULL, _IONBF, 0) == 0, " ");
}

static void set_input(const char *text) {
    input = text;
    while (esp_fgetc(esp_stdin) != EOF && !*text)
        ;
    esp_clearerr(esp_stdin);
    input = text;
}

static void reading(void) {
    char line[16], bytes[16];
    set_input("");
    CHECK(esp_getchar() == EOF && esp_feof(esp_stdin) && !esp_ferror(esp_stdin), " ");
    CHECK(!esp_fgets(line, sizeof line, esp_stdin) && esp_fread(bytes, 1, 4, esp_stdin) == 0, " ");
    int number = 7;
    CHECK(esp_scanf("%d", &number) == EOF && number == 7, " ");
    CHECK(esp_ungetc('x', esp_stdin) == 'x' && !esp_feof(esp_stdin) && esp_getchar() == 'x', " ");
    CHECK(esp_ungetc(EOF, esp_stdin) == EOF, " ");
    CHECK(esp_read(0, bytes, 4) == 0 && esp_read(3, bytes, 4) == -1 && esp_errno == EBADF, " ");

    set_input("one\ntwo three\n4 5x\nlast");
    CHECK(esp_fgets(line, sizeof line, esp_stdin) == line && !strcmp(line, "one\n"), "%s", line);
    CHECK(esp_fgets(line, 4, esp_stdin) && !strcmp(line, "two"), "%s", line);
    CHECK(esp_fgets(line, 1, esp_stdin) && !strcmp(line, "") && !esp_fgets(line, 0, esp_stdin), "%s", line);
    CHECK(esp_fread(bytes, 3, 2, esp_stdin) == 2 && !memcmp(bytes, " three", 6), " ");
    int x, y;
    CHECK(esp_scanf("%d", &x) == 1 && esp_fscanf(esp_stdin, "%d", &y) == 1 && x == 4 && y == 5, " ");
    CHECK(esp_getchar() == 'x' && esp_getchar() == '\n', " ");
    char *grown = NULL;
    size_t size = 0;
    CHECK(esp_getline(&grown, &size, esp_stdin) == 4 && !strcmp(grown, "last") && size >= 5, " ");
    CHECK(esp_getline(&grown, &size, esp_stdin) == -1 && esp_feof(esp_stdin), " ");
    free(grown);

    char long_line[1000], *expected = long_line;
    memset(long_line, 'y', sizeof long_line);
    strcpy(long_line + 997, "\nz");
    set_input(long_line);
    grown = NULL;
    CHECK(esp_getline(&grown, &size, esp_stdin) == 998 && !strncmp(grown, expected, 998) && !grown[998], " ");
    free(grown);
}

static void streams(void) {
    CHECK(esp_fileno(esp_stdin) == 0 && esp_fileno(esp_stdout) == 1 && esp_fileno(esp_stderr) == 2, " ");
    /* The fields that inline functions of glibc's header read, and the size. */
    CHECK(esp_stderr->_fileno == 2 && esp_stderr->_IO_read_ptr >= esp_stderr->_IO_read_end, " ");
    CHECK(esp_stderr->_IO_write_ptr >= esp_stderr->_IO_write_end, " ");
    const volatile char *bytes = (const volatile char *)esp_stderr;
    CHECK(bytes[sizeof(FILE) - 1] == 0, " ");
    CHECK(!esp_fopen("/etc/passwd", "r") && esp_errno == ENOENT, " ");
    CHECK(esp_fseek(esp_stdin, 0, SEEK_SET) == -1 && esp_ftell(esp_stdin) == -1 && esp_errno == ESPIPE, " ");
    CHECK(esp_fclose(esp_stdin) == 0 && esp_getchar() == EOF, " ");
}

static void fixed_answers(void) {
    time_t now = 5;
    struct timeval precise = {1, 1};
    CHECK(esp_time(&now) == 0 && now == 0 && esp_time(NULL) == 0 && esp_clock() == 0, " ");
    CHECK(esp_gettimeofday(&precise, NULL) == 0 && !precise.tv_sec && !precise.tv_usec, " ");
    CHECK(esp_getpid() > 1 && esp_sleep(100) == 0 && esp_isatty(1) == 0 && esp_errno == ENOTTY, " ");
    CHECK(esp_signal(SIGINT, SIG_IGN) == SIG_DFL && esp_signal(SIGINT, SIG_DFL) == SIG_IGN, " ");
    CHECK(esp_signal(0, SIG_IGN) == SIG_ERR, " ");
}

void stdio_tests(void) {
    run("writing", writing);
    run("reading", reading);
    run("streams", streams);
    run("fixed answers", fixed_answers);
}
