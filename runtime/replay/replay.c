/* Native replay of a test: linked with a natively compiled program, it answers the calls of klee.h and of SV-COMP with
 * the objects of the .ktest file that the environment variable KTEST_FILE names, in the order of their creation.
 *
 * Exit codes of its own, each with a message on standard error that begins with "espalier-replay:":
 *   95  the place was reached whose number is in ESPALIER_MARK
 *   96  the test file cannot be read
 *   97  the test diverged: the program asks for another object than the file has next, or cannot be replayed
 *   98  an assumption is false
 *   99  klee_report_error was called
 *
 * Everything is weak, because programs define some of these functions themselves. They also define functions of the
 * libc, so this file calls as few of those as it can. */

#define _GNU_SOURCE
#include "../include/klee/klee.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

enum { REACHED = 95, UNREADABLE = 96, DIVERGED = 97, ASSUMPTION_FALSE = 98, ERROR_REPORTED = 99 };

/* ---- Messages and endings ---- */

static size_t length(const char *text) {
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static void print_bytes(const char *bytes, size_t n) {
    while (n) {
        long written = syscall(SYS_write, 2, bytes, n);
        if (written <= 0)
            return;
        bytes += written;
        n -= (size_t)written;
    }
}

static void print(const char *text) {
    print_bytes(text, length(text));
}

static void print_number(unsigned long long n) {
    char digits[20];
    size_t i = sizeof digits;
    do
        digits[--i] = (char)('0' + n % 10);
    while (n /= 10);
    print_bytes(digits + i, sizeof digits - i);
}

/* Without the program's exit handlers and without a leak check, but with what it has printed. */
__attribute__((noreturn)) static void leave(int status) {
    fflush(stdout);
    for (;;)
        syscall(SYS_exit_group, status);
}

__attribute__((noreturn)) static void fail(int status, const char *message) {
    print("espalier-replay: ");
    print(message);
    print("\n");
    leave(status);
}

/* ---- The test file ---- */

static struct {
    const unsigned char *next, *end;
    uint32_t objects; /* that are left */
    uint32_t taken;
    int loaded;
} test;

static void require(size_t n) {
    if ((size_t)(test.end - test.next) < n)
        fail(UNREADABLE, "the test file is truncated");
}

static uint32_t read_u32(void) {
    require(4);
    const unsigned char *p = test.next;
    test.next += 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A length and so many bytes. */
static const unsigned char *read_bytes(uint32_t *n) {
    *n = read_u32();
    require(*n);
    const unsigned char *bytes = test.next;
    test.next += *n;
    return bytes;
}

static void map_file(const char *path) {
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    long size = fd < 0 ? -1 : syscall(SYS_lseek, (int)fd, 0L, SEEK_END);
    void *content = size <= 0 ? MAP_FAILED : mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, (int)fd, 0);
    if (content == MAP_FAILED) {
        print("espalier-replay: cannot read ");
        print(path);
        print("\n");
        leave(UNREADABLE);
    }
    syscall(SYS_close, (int)fd);
    test.next = content;
    test.end = test.next + size;
}

static int magic_is(const char *magic) {
    for (size_t i = 0; i < 5; i++)
        if (test.next[i] != (unsigned char)magic[i])
            return 0;
    return 1;
}

static void load(void) {
    if (test.loaded)
        return;
    const char *path = getenv("KTEST_FILE");
    if (!path)
        fail(UNREADABLE, "KTEST_FILE is not set");
    map_file(path);
    require(5);
    if (!magic_is("KTEST") && !magic_is("BOUT\n"))
        fail(UNREADABLE, "KTEST_FILE is not a .ktest file");
    test.next += 5;
    uint32_t version = read_u32();
    if (version < 1 || version > 3)
        fail(UNREADABLE, "the test file's version is not supported");
    uint32_t n;
    for (uint32_t args = read_u32(); args; args--)
        read_bytes(&n);
    if (version >= 2) {
        read_u32();
        read_u32();
    }
    test.objects = read_u32();
    test.loaded = 1;
}

static int name_is(const char *name, const unsigned char *bytes, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!name[i] || (unsigned char)name[i] != bytes[i])
            return 0;
    return !name[n];
}

static void print_object(const char *name, size_t name_length, unsigned long long size) {
    print("'");
    print_bytes(name, name_length);
    print("' of ");
    print_number(size);
    print(size == 1 ? " byte" : " bytes");
}

/* What KLEE's library says and does where a test does not fit: scripts look for it. Does the program go on? */
static int goes_on(void) {
    const char *wanted = getenv("KLEE_RUN_TEST_ERRORS_NON_FATAL");
    if (wanted)
        print("KLEE_RUN_TEST_ERROR: Forcing execution to continue\n");
    return wanted != NULL;
}

/* The next object's bytes, which must have this name and size. */
static void next_object(const char *name, void *to, size_t size) {
    load();
    if (!name)
        name = "unnamed";
    if (!test.objects) {
        print("KLEE_RUN_TEST_ERROR: out of inputs. Will use zero if continuing.\n");
        if (goes_on()) {
            unsigned char *out = to;
            for (size_t i = 0; i < size; i++)
                out[i] = 0;
            return;
        }
        print("espalier-replay: test diverged: the program asks for ");
        print_object(name, length(name), size);
        print(", the test has only ");
        print_number(test.taken);
        print(test.taken == 1 ? " object\n" : " objects\n");
        leave(DIVERGED);
    }
    uint32_t name_length, found_size;
    const unsigned char *found_name = read_bytes(&name_length);
    const unsigned char *bytes = read_bytes(&found_size);
    test.objects--;
    test.taken++;
    if (!name_is(name, found_name, name_length)) {
        print("KLEE_RUN_TEST_ERROR: object name mismatch. Requesting \"");
        print(name);
        print("\" but returning \"");
        print_bytes((const char *)found_name, name_length);
        print("\"\n");
    } else if (found_size != size) {
        print("KLEE_RUN_TEST_ERROR: object sizes differ. Expected ");
        print_number(size);
        print(" but got ");
        print_number(found_size);
        print("\n");
    }
    if ((!name_is(name, found_name, name_length) || found_size != size) && !goes_on()) {
        print("espalier-replay: test diverged: the program asks for ");
        print_object(name, length(name), size);
        print(", object ");
        print_number(test.taken);
        print(" of the test is ");
        print_object((const char *)found_name, name_length, found_size);
        print("\n");
        leave(DIVERGED);
    }
    unsigned char *out = to;
    for (size_t i = 0; i < size; i++)
        out[i] = i < found_size ? bytes[i] : 0;
}

/* Has the next object, if there is one, this name and size? Copies it, and leaves it the next one. */
static int next_is(const char *name, void *to, size_t size) {
    load();
    if (!test.objects)
        return 0;
    const unsigned char *here = test.next;
    uint32_t name_length, found_size;
    const unsigned char *found_name = read_bytes(&name_length);
    const unsigned char *bytes = read_bytes(&found_size);
    test.next = here;
    if (!name_is(name, found_name, name_length) || found_size != size)
        return 0;
    unsigned char *out = to;
    for (size_t i = 0; i < size; i++)
        out[i] = bytes[i];
    return 1;
}

/* ---- klee.h: inputs ---- */

WEAK void klee_make_symbolic(void *addr, size_t nbytes, const char *name) {
    next_object(name, addr, nbytes);
}

WEAK int klee_int(const char *name) {
    int value;
    next_object(name, &value, sizeof value);
    return value;
}

/* As in KLEE, a range of one value needs no object. */
WEAK int klee_range(int begin, int end, const char *name) {
    if (begin >= end)
        fail(ERROR_REPORTED, "klee_range: invalid range");
    if ((long long)begin + 1 == end)
        return begin;
    int value;
    next_object(name, &value, sizeof value);
    if (value < begin || value >= end)
        fail(DIVERGED, "test diverged: the value for klee_range is out of range");
    return value;
}

WEAK uintptr_t klee_choose(uintptr_t n) {
    uintptr_t value;
    next_object("klee_choose", &value, sizeof value);
    if (value >= n)
        fail(DIVERGED, "test diverged: the value for klee_choose is out of range");
    return value;
}

WEAK void klee_assume(uintptr_t condition) {
    if (!condition)
        fail(ASSUMPTION_FALSE, "the condition of klee_assume is false");
}

WEAK void klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}

WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}

/* ---- Allocations that may fail (runtime/alloc/failing.c) ---- */

/* The sources may be compiled so that these names mean other functions. */
#undef malloc
#undef calloc
#undef realloc
#undef strdup
#undef strndup
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);

/* Only programs that are compiled for it have it. */
extern WEAK unsigned __espalier_alloc_failures;

static int allocation_fails(void) {
    unsigned char choice;
    if (!&__espalier_alloc_failures || !__espalier_alloc_failures)
        return 0;
    next_object("alloc_fail", &choice, sizeof choice);
    if (!choice)
        return 0;
    __espalier_alloc_failures--;
    errno = ENOMEM;
    return 1;
}

WEAK void *__espalier_failing_malloc(size_t size) {
    return allocation_fails() ? NULL : malloc(size);
}

WEAK void *__espalier_failing_calloc(size_t count, size_t size) {
    return allocation_fails() ? NULL : calloc(count, size);
}

WEAK void *__espalier_failing_realloc(void *old, size_t size) {
    return allocation_fails() ? NULL : realloc(old, size);
}

WEAK char *__espalier_failing_strdup(const char *text) {
    return allocation_fails() ? NULL : strdup(text);
}

WEAK char *__espalier_failing_strndup(const char *text, size_t most) {
    return allocation_fails() ? NULL : strndup(text, most);
}

/* At some places only (runtime/alloc/sites.c): the test has an object for each allocation there, with its number among
 * all. */
static int site_fails(void) {
    static unsigned allocations;
    struct {
        unsigned number, fails;
    } choice;
    allocations++;
    if (!next_is("alloc_fail_at", &choice, sizeof choice) || choice.number != allocations)
        return 0;
    next_object("alloc_fail_at", &choice, sizeof choice);
    if (!choice.fails)
        return 0;
    errno = ENOMEM;
    return 1;
}

WEAK void *__espalier_site_malloc(size_t size) {
    return site_fails() ? NULL : malloc(size);
}

WEAK void *__espalier_site_calloc(size_t count, size_t size) {
    return site_fails() ? NULL : calloc(count, size);
}

WEAK void *__espalier_site_realloc(void *old, size_t size) {
    return site_fails() ? NULL : realloc(old, size);
}

WEAK char *__espalier_site_strdup(const char *text) {
    return site_fails() ? NULL : strdup(text);
}

WEAK char *__espalier_site_strndup(const char *text, size_t most) {
    return site_fails() ? NULL : strndup(text, most);
}

/* ---- klee.h: endings ---- */

WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    print("espalier-replay: ");
    print(file ? file : "?");
    print(":");
    print_number(line < 0 ? 0 : (unsigned)line);
    print(": ");
    print(message ? message : "");
    print(" (");
    print(suffix ? suffix : "");
    print(")\n");
    leave(ERROR_REPORTED);
}

WEAK void klee_silent_exit(int status) {
    leave(status);
}

WEAK void klee_abort(void) {
    abort();
}

/* ---- klee.h: questions ---- */

WEAK unsigned klee_is_symbolic(uintptr_t n) {
    (void)n;
    return 0;
}

WEAK unsigned klee_is_replay(void) {
    return 1;
}

#define GET_VALUE(suffix, type)                                                                                        \
    WEAK type klee_get_value##suffix(type expr) {                                                                      \
        return expr;                                                                                                   \
    }

GET_VALUE(f, float)
GET_VALUE(d, double)
GET_VALUE(l, long)
GET_VALUE(ll, long long)
GET_VALUE(_i32, int32_t)
GET_VALUE(_i64, int64_t)

WEAK size_t klee_get_obj_size(void *ptr) {
    (void)ptr;
    fail(DIVERGED, "klee_get_obj_size has no native answer");
}

WEAK int klee_get_errno(void) {
    return errno;
}

/* Touches every byte: a bad one is a crash, or a sanitizer's report if this file is compiled with it. */
WEAK void klee_check_memory_access(const void *address, size_t size) {
    const volatile unsigned char *bytes = address;
    for (size_t i = 0; i < size; i++)
        (void)bytes[i];
}

/* ---- klee.h: control and output ---- */

WEAK void klee_define_fixed_object(void *addr, size_t nbytes) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)addr / page * page;
    uintptr_t last = ((uintptr_t)addr + nbytes + page - 1) / page * page;
    for (; first < last; first += page) {
        void *mapped = mmap((void *)first, page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        /* Two objects may share a page. */
        if (mapped != (void *)first && !(mapped == MAP_FAILED && errno == EEXIST))
            fail(DIVERGED, "klee_define_fixed_object: the address is not available");
    }
}

/* KLEE's own klee.h has its assertions call this. */
WEAK void klee_assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
    __espalier_assert_fail(assertion, file, line, function);
}

WEAK void klee_mark_global(void *object) {
    (void)object;
}

WEAK void klee_alias_function(const char *fn_name, const char *new_fn_name) {
    (void)fn_name;
    (void)new_fn_name;
    fail(DIVERGED, "klee_alias_function cannot be replayed");
}

WEAK void klee_set_forking(unsigned enable) {
    (void)enable;
}

WEAK void klee_open_merge(void) {
}

WEAK void klee_close_merge(void) {
}

WEAK void klee_merge(void) {
}

WEAK void klee_warning(const char *message) {
    print("espalier-replay: warning: ");
    print(message);
    print("\n");
}

WEAK void klee_warning_once(const char *message) {
    static const char *last;
    if (message != last)
        klee_warning(message);
    last = message;
}

WEAK void klee_print_expr(const char *msg, ...) {
    (void)msg;
}

WEAK void klee_print_range(const char *name, int arg) {
    (void)name;
    (void)arg;
}

WEAK void klee_stack_trace(void) {
}

/* Called before places that are asked about, and in functions that stand for an error, in builds for that. */
void __espalier_mark(int number) {
    const char *wanted = getenv("ESPALIER_MARK");
    long long value = 0;
    if (!wanted)
        return;
    while (*wanted >= '0' && *wanted <= '9')
        value = 10 * value + (*wanted++ - '0');
    if (value == number)
        fail(REACHED, "the place was reached");
}

/* ---- SV-COMP ---- */

/* The message comes last: it tells this from other calls of abort. A handler of the program's own must not see how this
 * ends. */
static void end_in_error(const char *message) {
    fflush(stdout);
    print(message);
    signal(SIGABRT, SIG_DFL);
    abort();
}

WEAK void reach_error(void) {
    end_in_error("espalier-replay: reach_error called\n");
}

WEAK void __VERIFIER_error(void) {
    end_in_error("espalier-replay: __VERIFIER_error called\n");
}

WEAK void __VERIFIER_assert(int condition) {
    if (!condition)
        reach_error();
}

WEAK void __VERIFIER_assume(int condition) {
    if (!condition)
        fail(ASSUMPTION_FALSE, "the condition of __VERIFIER_assume is false");
}

WEAK void __VERIFIER_atomic_begin(void) {
}

WEAK void __VERIFIER_atomic_end(void) {
}

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size) {
    next_object("nondet_memory", memory, size);
}

WEAK _Bool __VERIFIER_nondet_bool(void) {
    unsigned char value;
    next_object("nondet_bool", &value, sizeof value);
    return value != 0;
}

#define NONDET(suffix, type)                                                                                           \
    WEAK type __VERIFIER_nondet_##suffix(void) {                                                                       \
        type value;                                                                                                    \
        next_object("nondet_" #suffix, &value, sizeof value);                                                          \
        return value;                                                                                                  \
    }

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(unsigned_char, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(unsigned_short, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(unsigned_long, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(charp, char *)
NONDET(pchar, char *)
NONDET(const_char_pointer, const char *)
NONDET(size_t, size_t)
NONDET(ssize_t, ssize_t)
NONDET(ptrdiff_t, ptrdiff_t)
NONDET(intptr_t, intptr_t)
NONDET(uintptr_t, uintptr_t)
NONDET(loff_t, long long)
NONDET(off_t, long)
NONDET(sector_t, unsigned long)
NONDET(time_t, long)
NONDET(pthread_t, unsigned long)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)
NONDET(s8, int8_t)
NONDET(s16, int16_t)
NONDET(s32, int32_t)
NONDET(s64, int64_t)
NONDET(U8, uint8_t)
NONDET(U16, uint16_t)
NONDET(U32, uint32_t)
NONDET(U64, uint64_t)
NONDET(S8, int8_t)
NONDET(S16, int16_t)
NONDET(S32, int32_t)
NONDET(S64, int64_t)
NONDET(int8_t, int8_t)
NONDET(int16_t, int16_t)
NONDET(int32_t, int32_t)
NONDET(int64_t, int64_t)
NONDET(uint8_t, uint8_t)
NONDET(uint16_t, uint16_t)
NONDET(uint32_t, uint32_t)
NONDET(uint64_t, uint64_t)
#ifdef __SIZEOF_INT128__
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
#endif
