/* The one function behind all of libc's system calls: which number is which call. */

#include "model.h"

enum {
    READ = 0,
    WRITE = 1,
    OPEN = 2,
    CLOSE = 3,
    STAT = 4,
    FSTAT = 5,
    LSTAT = 6,
    POLL = 7,
    LSEEK = 8,
    MMAP = 9,
    MPROTECT = 10,
    MUNMAP = 11,
    RT_SIGACTION = 13,
    RT_SIGPROCMASK = 14,
    IOCTL = 16,
    PREAD = 17,
    PWRITE = 18,
    READV = 19,
    WRITEV = 20,
    ACCESS = 21,
    SCHED_YIELD = 24,
    MADVISE = 28,
    DUP = 32,
    DUP2 = 33,
    NANOSLEEP = 35,
    GETPID = 39,
    EXECVE = 59,
    EXIT = 60,
    KILL = 62,
    UNAME = 63,
    FCNTL = 72,
    FLOCK = 73,
    FSYNC = 74,
    FDATASYNC = 75,
    TRUNCATE = 76,
    FTRUNCATE = 77,
    GETCWD = 79,
    CHDIR = 80,
    FCHDIR = 81,
    RENAME = 82,
    MKDIR = 83,
    RMDIR = 84,
    CREAT = 85,
    LINK = 86,
    UNLINK = 87,
    SYMLINK = 88,
    READLINK = 89,
    CHMOD = 90,
    FCHMOD = 91,
    CHOWN = 92,
    FCHOWN = 93,
    LCHOWN = 94,
    UMASK = 95,
    GETRLIMIT = 97,
    SYSINFO = 99,
    GETUID = 102,
    GETGID = 104,
    GETEUID = 107,
    GETEGID = 108,
    GETPPID = 110,
    GETPGRP = 111,
    GETGROUPS = 115,
    GETRESUID = 118,
    GETRESGID = 120,
    GETPGID = 121,
    GETSID = 124,
    RT_SIGPENDING = 127,
    SIGALTSTACK = 131,
    MKNOD = 133,
    STATFS = 137,
    CHROOT = 161,
    SYNC = 162,
    GETTID = 186,
    TKILL = 200,
    FUTEX = 202,
    GETDENTS64 = 217,
    SET_TID_ADDRESS = 218,
    FADVISE64 = 221,
    CLOCK_GETTIME = 228,
    CLOCK_GETRES = 229,
    CLOCK_NANOSLEEP = 230,
    EXIT_GROUP = 231,
    TGKILL = 234,
    OPENAT = 257,
    MKDIRAT = 258,
    MKNODAT = 259,
    FCHOWNAT = 260,
    NEWFSTATAT = 262,
    UNLINKAT = 263,
    RENAMEAT = 264,
    LINKAT = 265,
    SYMLINKAT = 266,
    READLINKAT = 267,
    FCHMODAT = 268,
    FACCESSAT = 269,
    PPOLL = 271,
    UTIMENSAT = 280,
    FALLOCATE = 285,
    DUP3 = 292,
    PRLIMIT64 = 302,
    SYNCFS = 306,
    RENAMEAT2 = 316,
    GETRANDOM = 318,
    FACCESSAT2 = 439,
};

/* The error with which a call fails if the specification lets calls fail; 0 for calls that do not. */
static long failure(long number) {
    switch (number) {
    case READ:
    case READV:
    case PREAD:
    case GETDENTS64:
    case CLOSE:
    case FSYNC:
    case FDATASYNC:
    case READLINK:
    case READLINKAT:
        return -EIO;
    case WRITE:
    case WRITEV:
    case PWRITE:
    case MKDIR:
    case MKDIRAT:
    case MKNOD:
    case MKNODAT:
    case LINK:
    case LINKAT:
    case SYMLINK:
    case SYMLINKAT:
    case FALLOCATE:
        return -ENOSPC;
    case OPEN:
    case OPENAT:
    case CREAT:
    case CHDIR:
    case FCHDIR:
    case RENAME:
    case RENAMEAT:
    case RENAMEAT2:
    case UNLINK:
    case UNLINKAT:
    case RMDIR:
        return -EACCES;
    case CHMOD:
    case FCHMOD:
    case FCHMODAT:
    case CHOWN:
    case FCHOWN:
    case LCHOWN:
    case FCHOWNAT:
    case TRUNCATE:
    case FTRUNCATE:
    case UTIMENSAT:
        return -EPERM;
    case STAT:
    case LSTAT:
    case FSTAT:
    case NEWFSTATAT:
    case GETCWD:
    case MMAP:
        return -ENOMEM;
    case DUP:
    case DUP2:
    case DUP3:
        return -EMFILE;
    default:
        return 0;
    }
}

/* For calls that change nothing here, and fail on descriptors that are not of this kind. */
static long if_open(long fd, bool files_only, long error) {
    struct description *open = __espalier_description((int)fd);
    if (!open)
        return -EBADF;
    return files_only && !is_type(open->node, S_IFREG) && !is_type(open->node, S_IFDIR) ? error : 0;
}

static long same_for_all(unsigned *real, unsigned *effective, unsigned *saved) {
    *real = *effective = *saved = USER;
    return 0;
}

static long files_and_descriptors(long number, long a, long b, long c, long d) {
    switch (number) {
    case READ:
        return __espalier_read((int)a, (void *)b, (size_t)c);
    case WRITE:
        return __espalier_write((int)a, (const void *)b, (size_t)c);
    case READV:
        return __espalier_readv((int)a, (const void *)b, (int)c);
    case WRITEV:
        return __espalier_writev((int)a, (const void *)b, (int)c);
    case PREAD:
        return __espalier_pread((int)a, (void *)b, (size_t)c, d);
    case PWRITE:
        return __espalier_pwrite((int)a, (const void *)b, (size_t)c, d);
    case LSEEK:
        return __espalier_lseek((int)a, b, (int)c);
    case TRUNCATE:
        return __espalier_truncate((const char *)a, b);
    case FTRUNCATE:
        return __espalier_ftruncate((int)a, b);
    case FALLOCATE:
        return __espalier_fallocate((int)a, (int)b, c, d);
    case OPEN:
        return __espalier_openat(AT_FDCWD, (const char *)a, (unsigned)b, (unsigned)c);
    case CREAT:
        return __espalier_openat(AT_FDCWD, (const char *)a, O_CREAT | O_WRONLY | O_TRUNC, (unsigned)b);
    case OPENAT:
        return __espalier_openat((int)a, (const char *)b, (unsigned)c, (unsigned)d);
    case CLOSE:
        return __espalier_close((int)a);
    case DUP:
        return __espalier_dup((int)a);
    case DUP2:
        return __espalier_dup2((int)a, (int)b);
    case DUP3:
        return __espalier_dup3((int)a, (int)b, (unsigned)c);
    case FCNTL:
        return __espalier_fcntl((int)a, (int)b, c);
    case IOCTL:
        return __espalier_ioctl((int)a, (unsigned long)b, (void *)c);
    case POLL:
        return __espalier_poll((void *)a, (unsigned long)b, (int)c < 0);
    case PPOLL:
        return __espalier_poll((void *)a, (unsigned long)b, !c);
    /* Nothing is kept back, read ahead, or locked by another process. */
    case FSYNC:
    case FDATASYNC:
        return if_open(a, true, -EINVAL);
    case FADVISE64:
        return if_open(a, true, -ESPIPE);
    case SYNCFS:
    case FLOCK:
        return if_open(a, false, 0);
    case SYNC:
        return 0;
    default:
        return -ENOSYS;
    }
}

static long names(long number, long a, long b, long c, long d, long e) {
    switch (number) {
    case STAT:
        return __espalier_fstatat(AT_FDCWD, (const char *)a, (void *)b, 0);
    case LSTAT:
        return __espalier_fstatat(AT_FDCWD, (const char *)a, (void *)b, AT_SYMLINK_NOFOLLOW);
    case FSTAT:
        return __espalier_fstat((int)a, (void *)b);
    case NEWFSTATAT:
        return __espalier_fstatat((int)a, (const char *)b, (void *)c, (int)d);
    case ACCESS:
        return __espalier_faccessat(AT_FDCWD, (const char *)a, (unsigned)b, 0);
    case FACCESSAT:
        return __espalier_faccessat((int)a, (const char *)b, (unsigned)c, 0);
    case FACCESSAT2:
        return __espalier_faccessat((int)a, (const char *)b, (unsigned)c, (int)d);
    case CHMOD:
        return __espalier_fchmodat(AT_FDCWD, (const char *)a, (unsigned)b);
    case FCHMOD:
        return __espalier_fchmod((int)a, (unsigned)b);
    case FCHMODAT:
        return __espalier_fchmodat((int)a, (const char *)b, (unsigned)c);
    case CHOWN:
        return __espalier_fchownat(AT_FDCWD, (const char *)a, (unsigned)b, (unsigned)c, 0);
    case LCHOWN:
        return __espalier_fchownat(AT_FDCWD, (const char *)a, (unsigned)b, (unsigned)c, AT_SYMLINK_NOFOLLOW);
    case FCHOWN:
        return __espalier_fchown((int)a, (unsigned)b, (unsigned)c);
    case FCHOWNAT:
        return __espalier_fchownat((int)a, (const char *)b, (unsigned)c, (unsigned)d, (int)e);
    case UTIMENSAT:
        return __espalier_utimensat((int)a, (const char *)b, (const void *)c, (int)d);
    case UMASK:
        /* What it is at first comes from outside. */
        __espalier_approximate("process");
        return (long)__espalier_umask((unsigned)a);
    case MKDIR:
        return __espalier_mkdirat(AT_FDCWD, (const char *)a, (unsigned)b);
    case MKDIRAT:
        return __espalier_mkdirat((int)a, (const char *)b, (unsigned)c);
    case MKNOD:
        return __espalier_mknodat(AT_FDCWD, (const char *)a, (unsigned)b, (unsigned long)c);
    case MKNODAT:
        return __espalier_mknodat((int)a, (const char *)b, (unsigned)c, (unsigned long)d);
    case UNLINK:
        return __espalier_unlinkat(AT_FDCWD, (const char *)a, 0);
    case RMDIR:
        return __espalier_unlinkat(AT_FDCWD, (const char *)a, AT_REMOVEDIR);
    case UNLINKAT:
        return __espalier_unlinkat((int)a, (const char *)b, (int)c);
    case RENAME:
        return __espalier_renameat(AT_FDCWD, (const char *)a, AT_FDCWD, (const char *)b, 0);
    case RENAMEAT:
        return __espalier_renameat((int)a, (const char *)b, (int)c, (const char *)d, 0);
    case RENAMEAT2:
        return __espalier_renameat((int)a, (const char *)b, (int)c, (const char *)d, (unsigned)e);
    case LINK:
        return __espalier_linkat(AT_FDCWD, (const char *)a, AT_FDCWD, (const char *)b, 0);
    case LINKAT:
        return __espalier_linkat((int)a, (const char *)b, (int)c, (const char *)d, (int)e);
    case SYMLINK:
        return __espalier_symlinkat((const char *)a, AT_FDCWD, (const char *)b);
    case SYMLINKAT:
        return __espalier_symlinkat((const char *)a, (int)b, (const char *)c);
    case READLINK:
        return __espalier_readlinkat(AT_FDCWD, (const char *)a, (char *)b, (size_t)c);
    case READLINKAT:
        return __espalier_readlinkat((int)a, (const char *)b, (char *)c, (size_t)d);
    case GETDENTS64:
        return __espalier_getdents((int)a, (void *)b, (size_t)c);
    case CHDIR:
        return __espalier_chdir((const char *)a);
    case FCHDIR:
        return __espalier_fchdir((int)a);
    case GETCWD:
        return __espalier_getcwd((char *)a, (size_t)b);
    case CHROOT:
        return __espalier_chroot((const char *)a);
    case STATFS:
        return __espalier_statfs((const char *)a);
    case EXECVE:
        return __espalier_execve((const char *)a);
    default:
        return -ENOSYS;
    }
}

static long process_and_machine(long number, long a, long b, long c, long d, long e, long f) {
    switch (number) {
    case EXIT:
    case EXIT_GROUP:
        __espalier_end((int)a);
    case GETPID:
    case GETTID:
    case GETPGRP:
        __espalier_approximate("process");
        return PROCESS;
    case SET_TID_ADDRESS:
        return PROCESS;
    case GETPGID:
    case GETSID:
        __espalier_approximate("process");
        return a == 0 || a == PROCESS ? PROCESS : -ESRCH;
    case GETPPID:
        __espalier_approximate("process");
        return PARENT;
    case GETUID:
    case GETEUID:
    case GETGID:
    case GETEGID:
        __espalier_approximate("process");
        return USER;
    case GETRESUID:
    case GETRESGID:
        __espalier_approximate("process");
        return same_for_all((unsigned *)a, (unsigned *)b, (unsigned *)c);
    case GETGROUPS:
        __espalier_approximate("process");
        return 0;
    case RT_SIGACTION:
        return __espalier_sigaction((int)a, (const void *)b, (void *)c, (size_t)d);
    case RT_SIGPROCMASK:
        return __espalier_sigprocmask((int)a, (const void *)b, (void *)c, (size_t)d);
    case RT_SIGPENDING:
        return __espalier_sigpending((void *)a);
    case KILL:
        /* Which processes there are comes from outside, and so does the number of this one. */
        if (a)
            __espalier_approximate("process");
        return __espalier_kill((int)a, (int)b);
    case TKILL:
        return __espalier_kill((int)a, (int)b);
    case TGKILL:
        return a == PROCESS ? __espalier_kill((int)b, (int)c) : -ESRCH;
    case MMAP:
        return __espalier_mmap((size_t)b, (unsigned)c, (unsigned)d, (int)e, f);
    case MUNMAP:
        return __espalier_munmap((void *)a, (size_t)b);
    case FUTEX:
        return __espalier_futex((const int *)a, (int)b, (int)c);
    case CLOCK_GETTIME:
        __espalier_approximate("clock");
        return __espalier_clock_gettime((int)a, (void *)b);
    case CLOCK_GETRES:
        __espalier_approximate("clock");
        if (b)
            *(struct moment *)b = (struct moment){0, 1};
        return 0;
    case NANOSLEEP:
        return __espalier_sleep((const void *)a, false);
    case CLOCK_NANOSLEEP:
        return __espalier_sleep((const void *)c, b & 1);
    case UNAME:
        __espalier_approximate("system");
        return __espalier_uname((void *)a);
    case SYSINFO:
        __espalier_approximate("system");
        return __espalier_sysinfo((void *)a);
    case GETRLIMIT:
        __espalier_approximate("system");
        return __espalier_prlimit(0, (int)a, NULL, (void *)b);
    case PRLIMIT64:
        __espalier_approximate("system");
        return __espalier_prlimit((int)a, (int)b, (const void *)c, (void *)d);
    case GETRANDOM:
        __espalier_approximate("random");
        __espalier_random_bytes((void *)a, (size_t)b);
        return b;
    /* Without other threads it changes nothing. */
    case SCHED_YIELD:
        return 0;
    case MADVISE:
    case SIGALTSTACK:
        __espalier_approximate("advice about memory and other stacks for signals are taken without a look");
        return 0;
    default:
        return -ENOSYS;
    }
}

long __espalier_syscall(long number, long a, long b, long c, long d, long e, long f) {
    /* A function that is run by itself has no start. */
    if (!__espalier_root)
        __espalier_make_file_system();
    long error = failure(number);
    bool is_output = (number == WRITE || number == WRITEV) && (a == 1 || a == 2);
    if (error && __espalier_failures_left && __espalier_as_klee) {
        if (!is_output && __espalier_fails_as_klee(number))
            return error;
    } else if (error && __espalier_failures_left && __espalier_fails()) {
        return error;
    }
    long result = files_and_descriptors(number, a, b, c, d);
    if (result == -ENOSYS)
        result = names(number, a, b, c, d, e);
    if (result == -ENOSYS)
        result = process_and_machine(number, a, b, c, d, e, f);
    if (result == -ENOSYS)
        __espalier_approximate("a system call fails that the model of the environment lacks");
    return result;
}
