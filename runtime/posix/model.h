/* What the files of the environment model share.
 *
 * The model is the kernel of a small machine: files, directories and descriptors in memory, one process, one user,
 * a clock. Nothing of the host is visible. musl calls it through one function, __espalier_syscall; the start of a
 * program (start.c) makes the symbolic inputs. Its code is executed symbolically, so it aims at few forks: names are
 * compared as a whole, and sizes and counts are concrete.
 *
 * A call that the model does not do answers ENOSYS or another error, never success. EFAULT is answered for null where
 * bytes are read or written; any other bad pointer is an error of the program, found where the model uses it.
 *
 * Calls return a negative error number as the kernel does. Names shared between files begin with __espalier_. */

#ifndef ESPALIER_POSIX_MODEL_H
#define ESPALIER_POSIX_MODEL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NORETURN __attribute__((noreturn))

enum {
    EPERM = 1,
    ENOENT = 2,
    ESRCH = 3,
    EIO = 5,
    ENXIO = 6,
    EBADF = 9,
    EAGAIN = 11,
    ENOMEM = 12,
    EACCES = 13,
    EFAULT = 14,
    EBUSY = 16,
    EEXIST = 17,
    ENODEV = 19,
    ENOTDIR = 20,
    EISDIR = 21,
    EINVAL = 22,
    EMFILE = 24,
    ENOTTY = 25,
    EFBIG = 27,
    ENOSPC = 28,
    ESPIPE = 29,
    EROFS = 30,
    EMLINK = 31,
    ERANGE = 34,
    ENAMETOOLONG = 36,
    ENOSYS = 38,
    ENOTEMPTY = 39,
    ELOOP = 40,
    EOPNOTSUPP = 95,
};

/* ---- The machine ---- */

enum {
    PROCESS = 1000,
    PARENT = 1,
    USER = 1000,
    PAGE = 4096,
    DESCRIPTORS = 256,
    NAME_LIMIT = 255,
    PATH_LIMIT = 4096,
    FILE_LIMIT = 1 << 28,
};

struct moment {
    long seconds, nanoseconds;
};

/* The clock starts at the epoch and goes on by a microsecond whenever it is read, so that time passes for a program
 * that waits for it, and made-up names differ. */
struct moment __espalier_now(void);

/* A time of a file. In a real run it is another one, unless the program itself has set it. */
struct stamp {
    struct moment moment;
    bool is_set;
};

static inline struct stamp stamp_now(void) {
    return (struct stamp){__espalier_now(), false};
}

/* ---- Files ---- */

enum {
    S_IFMT = 0170000,
    S_IFIFO = 0010000,
    S_IFCHR = 0020000,
    S_IFDIR = 0040000,
    S_IFBLK = 0060000,
    S_IFREG = 0100000,
    S_IFLNK = 0120000,
};

/* What stands behind a special file. */
enum device {
    NO_DEVICE,
    NULL_DEVICE,
    ZERO_DEVICE,
    FULL_DEVICE,
    RANDOM_DEVICE,
    TTY_DEVICE,
    INPUT,
    OUTPUT,
    ERROR_OUTPUT,
};

struct entry {
    char *name;
    size_t length;
    struct inode *node;
    /* Where reading the directory goes on after this entry; grows from entry to entry. */
    unsigned long cookie;
};

/* The file systems that a real system may have here: one device each, or several in one. */
enum file_system { WORKING, PIPES, ROOT, TEMPORARY, DEVICES };

struct inode {
    unsigned long number;
    /* How many nodes were gone before: those that there were at once have different numbers, others need not. */
    unsigned long gone_before;
    enum file_system file_system;
    unsigned mode;
    unsigned user, group;
    /* Names that lead here, and descriptions (and working directories) that hold it. */
    unsigned links, holders;
    enum device device;
    /* Given with the program: cannot be changed. */
    bool mounted;
    struct stamp accessed, modified, changed;
    /* In KLEE's place: what programs are told of a symbolic file, and what opening it for writing depends on. */
    struct status *told;
    /* A file's content, a link's target, the bytes of a pipe. */
    unsigned char *data;
    size_t size, capacity;
    /* How much of a pipe was read. */
    size_t position;
    /* A directory's entries, without . and .., and where .. leads; a removed directory has no parent. */
    struct entry *entries;
    size_t entry_count, entry_capacity;
    unsigned long last_cookie;
    struct inode *parent;
};

static inline bool is_type(const struct inode *node, unsigned type) {
    return (node->mode & S_IFMT) == type;
}

/* The kernel's struct stat for x86_64. */
struct status {
    unsigned long device, number, links;
    unsigned mode, user, group, padding;
    unsigned long special_device;
    long size, block_size, blocks;
    struct moment accessed, modified, changed;
    long unused[3];
};

extern struct inode *__espalier_root, *__espalier_cwd;

void __espalier_make_file_system(void);
struct inode *__espalier_standard_stream(enum device device);
struct inode *__espalier_new_node(unsigned mode);
void __espalier_release(struct inode *node);
long __espalier_resize(struct inode *node, size_t size);

/* Ends the process, and tells the engine of the files in the directory that it began in. */
NORETURN void __espalier_end(int status);

/* May the user do this (4 read, 2 write, 1 execute or search)? 0 or an error. */
long __espalier_permitted(const struct inode *node, unsigned wanted);

/* ---- Names ---- */

enum last { LAST_NAME, LAST_ROOT, LAST_DOT, LAST_DOT_DOT };

/* Where a path leads. Without node, name may be created in directory. */
struct place {
    struct inode *directory;
    const char *name;
    size_t length;
    struct inode *node;
    enum last last;
    /* The path ended in a slash: only a directory will do. */
    bool slash;
};

enum {
    AT_FDCWD = -100,
    AT_SYMLINK_NOFOLLOW = 0x100,
    AT_REMOVEDIR = 0x200,
    AT_SYMLINK_FOLLOW = 0x400,
    AT_NO_AUTOMOUNT = 0x800,
    AT_EMPTY_PATH = 0x1000,
};

long __espalier_resolve(int directory, const char *path, bool follow, struct place *place);
/* The same where nothing but an existing node will do. */
long __espalier_find(int directory, const char *path, bool follow, struct inode **node);
long __espalier_link(struct inode *directory, const char *name, size_t length, struct inode *node);
void __espalier_unlink(struct inode *directory, struct inode *node, const char *name, size_t length);
bool __espalier_same_name(const char *left, const char *right, size_t length);

/* ---- Descriptors ---- */

enum {
    O_ACCMODE = 3,
    O_RDONLY = 0,
    O_WRONLY = 1,
    O_RDWR = 2,
    O_CREAT = 0100,
    O_EXCL = 0200,
    O_NOCTTY = 0400,
    O_TRUNC = 01000,
    O_APPEND = 02000,
    O_NONBLOCK = 04000,
    O_DSYNC = 010000,
    O_LARGEFILE = 0100000,
    O_DIRECTORY = 0200000,
    O_NOFOLLOW = 0400000,
    O_NOATIME = 01000000,
    O_CLOEXEC = 02000000,
    O_SYNC = 04010000,
    O_PATH = 010000000,
};

/* An open file, shared by the descriptors that dup made. */
struct description {
    struct inode *node;
    unsigned flags;
    unsigned long offset;
    unsigned references;
};

struct description *__espalier_description(int fd);
/* The same for what takes an open file: one that was opened with O_PATH stands for its name only. */
struct description *__espalier_opened(int fd);
long __espalier_new_descriptor(struct inode *node, unsigned flags);

/* ---- Counts ---- */

/* Notes that a real system may do something else; from the engine. The verdict says so. */
void __espalier_approximate(const char *reason);

/* Numbers that are others in each real run, from the engine: programs are told them and seldom look. `what` and `of` say
 * what it is a number of; the same of the same is always equal. A decision on one rests on `topic`. */
unsigned long __espalier_fixed(unsigned long value, const char *topic, const char *what, unsigned long of);
/* The same, where other values are other things in every run. */
unsigned long __espalier_fixed_name(unsigned long value, const char *topic, const char *what, unsigned long of);
/* One of them comes back, to be used as it was handed out. */
unsigned long __espalier_unfixed(unsigned long value);
/* The number of a node, as programs are told it. */
unsigned long __espalier_node_number(const struct inode *node);

/* The same value as a number, from the engine: forks for each that it can have. Only for values known to be small. */
unsigned long __espalier_concrete(unsigned long value);

/* With short reads: how many bytes a read gives of those available, 1 to all. */
size_t __espalier_short_count(size_t available);
extern bool __espalier_short_reads;
/* Are standard output and errors a terminal? */
extern bool __espalier_terminal;
/* While failures are left: must this call fail? Forks. */
bool __espalier_fails(void);
/* In KLEE's place: the calls that can fail, and which of them do is an input of its own. */
bool __espalier_fails_as_klee(long number);
extern bool __espalier_as_klee;
extern unsigned __espalier_failures_left;

/* ---- System calls, by the file that they are in ---- */

struct vector {
    void *base;
    size_t length;
};

/* transfer.c */
long __espalier_read(int fd, void *buffer, size_t count);
long __espalier_write(int fd, const void *buffer, size_t count);
long __espalier_readv(int fd, const struct vector *vectors, int count);
long __espalier_writev(int fd, const struct vector *vectors, int count);
long __espalier_pread(int fd, void *buffer, size_t count, long offset);
long __espalier_pwrite(int fd, const void *buffer, size_t count, long offset);
long __espalier_lseek(int fd, long offset, int whence);
long __espalier_ftruncate(int fd, long size);
long __espalier_truncate(const char *path, long size);
long __espalier_fallocate(int fd, int mode, long offset, long size);

/* descriptors.c */
long __espalier_openat(int directory, const char *path, unsigned flags, unsigned mode);
long __espalier_close(int fd);
long __espalier_dup(int fd);
long __espalier_dup2(int from, int to);
long __espalier_dup3(int from, int to, unsigned flags);
long __espalier_fcntl(int fd, int command, long argument);
long __espalier_ioctl(int fd, unsigned long request, void *result);
long __espalier_poll(void *list, unsigned long count, bool forever);
unsigned __espalier_umask(unsigned mask);

/* status.c */
long __espalier_fstatat(int directory, const char *path, struct status *status, int flags);
long __espalier_fstat(int fd, struct status *status);
long __espalier_statfs(const char *path);
long __espalier_execve(const char *path);
long __espalier_faccessat(int directory, const char *path, unsigned wanted, int flags);
long __espalier_fchmodat(int directory, const char *path, unsigned mode);
long __espalier_fchmod(int fd, unsigned mode);
long __espalier_fchownat(int directory, const char *path, unsigned user, unsigned group, int flags);
long __espalier_fchown(int fd, unsigned user, unsigned group);
long __espalier_utimensat(int directory, const char *path, const struct moment *times, int flags);

/* directories.c */
long __espalier_mkdirat(int directory, const char *path, unsigned mode);
long __espalier_mknodat(int directory, const char *path, unsigned mode, unsigned long device);
long __espalier_unlinkat(int directory, const char *path, int flags);
long __espalier_renameat(int from_directory, const char *from, int to_directory, const char *to, unsigned flags);
long __espalier_linkat(int from_directory, const char *from, int to_directory, const char *to, int flags);
long __espalier_symlinkat(const char *target, int directory, const char *path);
long __espalier_readlinkat(int directory, const char *path, char *buffer, size_t size);
long __espalier_getdents(int fd, void *buffer, size_t size);
long __espalier_chdir(const char *path);
long __espalier_fchdir(int fd);
long __espalier_chroot(const char *path);
long __espalier_getcwd(char *buffer, size_t size);

/* process.c */
long __espalier_mmap(size_t length, unsigned protection, unsigned flags, int fd, long offset);
long __espalier_munmap(void *address, size_t length);
long __espalier_futex(const int *word, int operation, int value);
long __espalier_sigaction(int signal, const void *new, void *old, size_t set_size);
long __espalier_sigprocmask(int how, const uint64_t *new, uint64_t *old, size_t set_size);
long __espalier_sigpending(uint64_t *set);
long __espalier_kill(int process, int signal);
long __espalier_clock_gettime(int clock, struct moment *now);
/* Lets the time pass, or lets it be that late. */
long __espalier_sleep(const struct moment *time, bool until);
long __espalier_uname(void *buffer);
long __espalier_sysinfo(void *buffer);
long __espalier_prlimit(int process, int resource, const void *new, void *old);
void __espalier_random_bytes(void *buffer, size_t count);

/* ---- Files given with the program; the front end defines these ---- */

struct __espalier_mount {
    const char *path;
    const char *data;
    unsigned long size;
    unsigned mode;
};

extern const struct __espalier_mount __espalier_mounts[];
extern const unsigned long __espalier_mount_count;

/* ---- What the engine provides ---- */

void *malloc(size_t size);
void *realloc(void *pointer, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *pointer);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
NORETURN void abort(void);
NORETURN void _exit(int status);
void klee_make_symbolic(void *object, size_t size, const char *name);
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
NORETURN void klee_report_error(const char *file, int line, const char *message, const char *suffix);
void __espalier_output(int fd, const void *bytes, size_t n);

/* For tests. Are the files in the end wanted? If so, each is told of, after the directory that it is in. */
int __espalier_begin_files(void);
void __espalier_file(unsigned depth, unsigned mode, const char *name, size_t length, const void *data, size_t size);
/* The process ends by this signal. */
void __espalier_killed(int signal);

#endif
