/* Streams: output goes to the engine, standard input is at its end, and no other file can be opened. */

#include "libc.h"

/* The fields up to `fd` and the size are those of glibc's FILE, because inline functions of its header read them. */
struct espalier_file {
    int flags;
    char *read_pointer, *read_end, *read_base;
    char *write_base, *write_pointer, *write_end;
    char *buffer_base, *buffer_end;
    char *save_base, *backup_base, *save_end;
    void *markers;
    FILE *chain;
    int fd;
    int pushed_back; /* 1 + a character that was given back; 0 if there is none */
    void *reserved[sizeof(void *) == 8 ? 12 : 21];
};

enum { AT_END = 0x10, FAILED = 0x20 };

/* Numbers from here on are those of files of which nothing is known. */
enum { FIRST_UNKNOWN = 100 };

static FILE standard_input = {.fd = 0}, standard_output = {.fd = 1}, standard_error = {.fd = 2};

API FILE *stdin = &standard_input;
API FILE *stdout = &standard_output;
API FILE *stderr = &standard_error;

static const char ONE_WAY[] = "standard input cannot be written, standard output and error cannot be read";

/* ---- Input ---- */

/* The next byte of a file, or EOF: the place to give standard input a content. */
API int __espalier_input(int fd) {
    (void)fd;
    return EOF;
}

/* Is it a file of which nothing is known? Then one answer is given of several that there are, and that is noted. */
static int is_unknown(const FILE *stream) {
    if (stream->fd < FIRST_UNKNOWN)
        return 0;
    __espalier_approximate("files");
    return 1;
}

/* The next character of a file of which nothing is known, its end or a failure. */
static int any_character(FILE *stream) {
    int c = __espalier_answer("files", EOF);
    if (c >= 0 && c <= 255)
        return c;
    if (c == EOF) {
        stream->flags |= AT_END;
    } else {
        stream->flags |= FAILED;
        errno = c;
    }
    return EOF;
}

int __espalier_get(FILE *stream) {
    if (stream->pushed_back) {
        int c = stream->pushed_back - 1;
        stream->pushed_back = 0;
        return c;
    }
    if (stream->flags & AT_END)
        return EOF;
    if (stream->fd >= FIRST_UNKNOWN)
        return any_character(stream);
    if (stream->fd != 0) {
        __espalier_approximate(ONE_WAY);
        stream->flags |= FAILED;
        errno = EBADF;
        return EOF;
    }
    __espalier_approximate("input");
    int c = __espalier_input(stream->fd);
    if (c == EOF)
        stream->flags |= AT_END;
    return c;
}

int __espalier_unget(int c, FILE *stream) {
    if (c == EOF)
        return EOF;
    if (stream->pushed_back) {
        __espalier_approximate("only one character can be given back to a stream");
        return EOF;
    }
    stream->flags &= ~AT_END;
    stream->pushed_back = 1 + (unsigned char)c;
    return (unsigned char)c;
}

static char *read_line(char *line, int size, FILE *stream) {
    int n = 0;
    if (size <= 0)
        return NULL;
    if (size == 1) {
        line[0] = 0;
        return line;
    }
    while (n < size - 1) {
        int c = __espalier_get(stream);
        if (c == EOF)
            break;
        line[n++] = (char)c;
        if (c == '\n')
            break;
    }
    if (!n)
        return NULL;
    line[n] = 0;
    return line;
}

static size_t read_items(void *to, size_t size, size_t count, FILE *stream) {
    char *out = to;
    size_t total = size * count, n = 0;
    while (n < total) {
        int c = __espalier_get(stream);
        if (c == EOF)
            break;
        out[n++] = (char)c;
    }
    return total ? n / size : 0;
}

/* Reads up to and with the delimiter into a buffer that grows. */
static ssize_t read_delimited(char **line, size_t *size, int delimiter, FILE *stream) {
    size_t n = 0;
    if (!line || !size) {
        errno = EINVAL;
        return -1;
    }
    for (int c = 0; c != delimiter || !n;) {
        c = __espalier_get(stream);
        if (c == EOF)
            break;
        if (!*line || n + 2 > *size) {
            size_t wanted = !*line || *size < 60 ? 120 : 2 * *size;
            char *larger = realloc(*line, wanted);
            if (!larger) {
                errno = ENOMEM;
                return -1;
            }
            *line = larger;
            *size = wanted;
        }
        (*line)[n++] = (char)c;
    }
    if (!n)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

#define GET(name)                                                                                                      \
    API int name(FILE *stream) {                                                                                       \
        return __espalier_get(stream);                                                                                 \
    }

GET(getc)
GET(fgetc)
GET(getc_unlocked)
GET(fgetc_unlocked)
GET(_IO_getc)
GET(__uflow)

API int getchar(void) {
    return __espalier_get(stdin);
}

API int getchar_unlocked(void) {
    return __espalier_get(stdin);
}

API int ungetc(int c, FILE *stream) {
    return __espalier_unget(c, stream);
}

API char *fgets(char *restrict line, int size, FILE *restrict stream) {
    return read_line(line, size, stream);
}

API char *fgets_unlocked(char *restrict line, int size, FILE *restrict stream) {
    return read_line(line, size, stream);
}

API size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    return read_items(to, size, count, stream);
}

API size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream) {
    return read_items(to, size, count, stream);
}

API ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
    return read_delimited(line, size, delimiter, stream);
}

API ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream) {
    return read_delimited(line, size, delimiter, stream);
}

API ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
    return read_delimited(line, size, '\n', stream);
}

API ssize_t read(int fd, void *to, size_t n) {
    __espalier_approximate("input");
    char *out = to;
    size_t done = 0;
    if (fd != 0) {
        errno = EBADF;
        return -1;
    }
    while (done < n) {
        int c = __espalier_input(fd);
        if (c == EOF)
            break;
        out[done++] = (char)c;
    }
    return (ssize_t)done;
}

/* ---- Output ---- */

static int not_open_for_output(void) {
    __espalier_approximate(ONE_WAY);
    errno = EBADF;
    return -1;
}

/* Where the stream's output goes if it can be written to; otherwise -1, with the stream's error set. */
static int output_of(FILE *stream) {
    if (stream->fd == 1)
        return 1 | BUFFERED;
    if (stream->fd == 2)
        return 2;
    stream->flags |= FAILED;
    if (is_unknown(stream)) {
        errno = EBADF;
        return -1;
    }
    return not_open_for_output();
}

/* printf, by the engine where it can, because formatting here would fork on what depends on the input. */
static int print(int fd, const char *format, va_list list) {
    int n = __espalier_vformat(fd, format, list);
    if (n != NOT_FORMATTED)
        return n;
    n = __espalier_format_text(NULL, 0, format, list);
    if (n <= 0)
        return n;
    char *text = malloc((size_t)n + 1);
    if (!text)
        return -1;
    __espalier_format_text(text, (size_t)n + 1, format, list);
    __espalier_output(fd, text, (size_t)n);
    free(text);
    return n;
}

static int put_byte(int c, FILE *stream) {
    unsigned char byte = (unsigned char)c;
    int fd = output_of(stream);
    if (fd < 0)
        return EOF;
    __espalier_output(fd, &byte, 1);
    return byte;
}

static size_t put_items(const void *from, size_t size, size_t count, FILE *stream) {
    size_t total = size * count;
    int fd = output_of(stream);
    if (fd < 0 || !total)
        return 0;
    __espalier_output(fd, from, total);
    return count;
}

static int put_formatted(int fd, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = print(fd, format, list);
    va_end(list);
    return n;
}

/* A string goes through the engine's printf, because looking for its end here would fork. */
static int put_string(const char *text, FILE *stream) {
    int fd = output_of(stream);
    if (fd < 0)
        return EOF;
    put_formatted(fd, "%s", text);
    return 1;
}

#define PUT(name)                                                                                                      \
    API int name(int c, FILE *stream) {                                                                                \
        return put_byte(c, stream);                                                                                    \
    }

PUT(putc)
PUT(fputc)
PUT(putc_unlocked)
PUT(fputc_unlocked)
PUT(_IO_putc)

API int __overflow(FILE *stream, int c) {
    return put_byte(c, stream);
}

API int putchar(int c) {
    return put_byte(c, stdout);
}

API int putchar_unlocked(int c) {
    return put_byte(c, stdout);
}

API int puts(const char *text) {
    int fd = output_of(stdout);
    return fd < 0 ? EOF : put_formatted(fd, "%s\n", text);
}

API int fputs(const char *restrict text, FILE *restrict stream) {
    return put_string(text, stream);
}

API int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
    return put_string(text, stream);
}

API size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
    return put_items(from, size, count, stream);
}

API size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict stream) {
    return put_items(from, size, count, stream);
}

API void perror(const char *text) {
    const char *message = __espalier_strerror(errno);
    if (text && *text)
        put_formatted(2, "%s: %s\n", text, message);
    else
        put_formatted(2, "%s\n", message);
}

API ssize_t write(int fd, const void *from, size_t n) {
    if (fd != 1 && fd != 2)
        return not_open_for_output();
    if (n)
        __espalier_output(fd, from, n);
    return (ssize_t)n;
}

API int vfprintf(FILE *restrict stream, const char *restrict format, va_list list) {
    int fd = output_of(stream);
    return fd < 0 ? -1 : print(fd, format, list);
}

API int vprintf(const char *restrict format, va_list list) {
    int fd = output_of(stdout);
    return fd < 0 ? -1 : print(fd, format, list);
}

API int vdprintf(int fd, const char *restrict format, va_list list) {
    if (fd != 1 && fd != 2)
        return not_open_for_output();
    return print(fd, format, list);
}

API int printf(const char *restrict format, ...) {
    int fd = output_of(stdout);
    if (fd < 0)
        return -1;
    va_list list;
    va_start(list, format);
    int n = print(fd, format, list);
    va_end(list);
    return n;
}

API int fprintf(FILE *restrict stream, const char *restrict format, ...) {
    int fd = output_of(stream);
    if (fd < 0)
        return -1;
    va_list list;
    va_start(list, format);
    int n = print(fd, format, list);
    va_end(list);
    return n;
}

API int dprintf(int fd, const char *restrict format, ...) {
    if (fd != 1 && fd != 2)
        return not_open_for_output();
    va_list list;
    va_start(list, format);
    int n = print(fd, format, list);
    va_end(list);
    return n;
}

/* ---- State of a stream ---- */

#define QUERY(name, value)                                                                                             \
    API int name(FILE *stream) {                                                                                       \
        return (value);                                                                                                \
    }

QUERY(feof, stream->flags & AT_END ? 1 : 0)
QUERY(feof_unlocked, stream->flags & AT_END ? 1 : 0)
QUERY(ferror, stream->flags & FAILED ? 1 : 0)
QUERY(ferror_unlocked, stream->flags & FAILED ? 1 : 0)
QUERY(fileno, (is_unknown(stream), stream->fd))
QUERY(fileno_unlocked, (is_unknown(stream), stream->fd))

API void clearerr(FILE *stream) {
    stream->flags &= ~(AT_END | FAILED);
}

API void clearerr_unlocked(FILE *stream) {
    stream->flags &= ~(AT_END | FAILED);
}

#define NO_EFFECT(name, result)                                                                                        \
    API int name(FILE *stream) {                                                                                       \
        (void)stream;                                                                                                  \
        return (result);                                                                                               \
    }

#define FLUSH(name)                                                                                                    \
    API int name(FILE *stream) {                                                                                       \
        if (!stream || stream->fd == 1)                                                                                \
            __espalier_flush(1);                                                                                       \
        if (stream)                                                                                                    \
            is_unknown(stream);                                                                                        \
        return 0;                                                                                                      \
    }

FLUSH(fflush)
FLUSH(fflush_unlocked)
NO_EFFECT(ftrylockfile, 0)

API void flockfile(FILE *stream) {
    (void)stream;
}

API void funlockfile(FILE *stream) {
    (void)stream;
}

static void change_buffer(const FILE *stream) {
    is_unknown(stream);
    if (stream->fd == 1)
        __espalier_flush(0);
}

API int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
    (void)buffer;
    (void)size;
    change_buffer(stream);
    return (unsigned)mode <= 2 ? 0 : -1;
}

API void setbuf(FILE *restrict stream, char *restrict buffer) {
    (void)buffer;
    change_buffer(stream);
}

API void setlinebuf(FILE *stream) {
    change_buffer(stream);
}

static int not_seekable(void) {
    __espalier_approximate("files");
    errno = ESPIPE;
    return -1;
}

API int fseek(FILE *stream, long offset, int origin) {
    (void)stream;
    (void)offset;
    (void)origin;
    return not_seekable();
}

API long ftell(FILE *stream) {
    (void)stream;
    return not_seekable();
}

API void rewind(FILE *stream) {
    not_seekable();
    stream->flags &= ~FAILED;
}

/* ---- Other files ---- */

/* Files of which nothing is known but that they could be opened. */
static FILE unknown_files[16];
static int unknown_count;

static FILE *missing_file(void) {
    __espalier_approximate("files");
    errno = ENOENT;
    return NULL;
}

static FILE *any_file(void) {
    int error = __espalier_answer("files", ENOENT);
    if (error) {
        errno = error;
        return NULL;
    }
    if (unknown_count == 16)
        return missing_file();
    FILE *stream = &unknown_files[unknown_count++];
    stream->fd = FIRST_UNKNOWN + unknown_count;
    return stream;
}

API FILE *fopen(const char *restrict path, const char *restrict mode) {
    (void)path;
    (void)mode;
    return any_file();
}

API FILE *fopen64(const char *restrict path, const char *restrict mode) {
    (void)path;
    (void)mode;
    return any_file();
}

API FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    (void)path;
    (void)mode;
    (void)stream;
    return missing_file();
}

API FILE *tmpfile(void) {
    return any_file();
}

/* A closed standard stream can neither be read nor written. */
API int fclose(FILE *stream) {
    if (stream->fd == 1)
        __espalier_flush(1);
    /* What was written may have to be written now, and fail. */
    int error = stream->fd >= FIRST_UNKNOWN ? __espalier_answer("files", 0) : 0;
    stream->fd = -1;
    stream->pushed_back = 0;
    if (error)
        errno = error;
    return error ? EOF : 0;
}

static int no_path(void) {
    __espalier_approximate("files");
    errno = ENOENT;
    return -1;
}

API int remove(const char *path) {
    (void)path;
    return no_path();
}

API int rename(const char *from, const char *to) {
    (void)from;
    (void)to;
    return no_path();
}
