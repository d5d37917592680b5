#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, long result) {
    printf("%s %ld %d\n", what, result, result < 0 ? errno : 0);
    errno = 0;
}

int main(void) {
    int fd = creat("f", 0640);
    show("creat", fd >= 0);
    write(fd, "0123456789", 10);
    show("fdatasync", fdatasync(fd));
    show("fsync", fsync(fd));
    show("fsync of a pipe", fsync(1));
    show("fdatasync of nothing", fdatasync(77));
    show("flock", flock(fd, LOCK_EX));
    show("unlock", flock(fd, LOCK_UN));
    show("flock of nothing", flock(77, LOCK_EX));
    show("syncfs", syncfs(fd));
    show("syncfs of nothing", syncfs(77));
    sync();
    show("fadvise", posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL));
    show("fadvise of a pipe", posix_fadvise(1, 0, 0, POSIX_FADV_NORMAL));
    show("fadvise of nothing", posix_fadvise(77, 0, 0, POSIX_FADV_NORMAL));
    show("fallocate", fallocate(fd, 0, 0, 20));
    show("fallocate of nothing", fallocate(77, 0, 0, 20));
    show("fallocate of nothing in it", fallocate(fd, 0, 0, 0));
    struct stat status;
    fstat(fd, &status);
    printf("%ld %o\n", (long)status.st_size, (unsigned)status.st_mode);
    show("fchown", fchown(fd, -1, -1));
    show("fchown of nothing", fchown(77, -1, -1));
    show("chown", chown("f", -1, -1));
    show("chown of nothing", chown("g", -1, -1));
    show("lchown", lchown("f", -1, -1));
    show("fchownat", fchownat(AT_FDCWD, "f", -1, -1, AT_SYMLINK_NOFOLLOW));
    close(fd);

    fd = open("f", O_RDONLY);
    char a[4] = "", b[8] = "";
    struct iovec parts[] = {{a, 3}, {b, 5}};
    show("readv", readv(fd, parts, 2));
    printf("%.3s %.5s\n", a, b);
    show("readv of nothing", readv(77, parts, 2));
    show("dup3", dup3(fd, 20, O_CLOEXEC));
    show("its flags", fcntl(20, F_GETFD));
    show("dup3 of itself", dup3(fd, fd, 0));
    show("dup3 of nothing", dup3(77, 21, 0));
    struct timespec times[2] = {{100, 5}, {200, 7}};
    show("utimensat", utimensat(AT_FDCWD, "f", times, 0));
    stat("f", &status);
    printf("%ld %ld %ld\n", (long)status.st_atime, (long)status.st_mtime, status.st_mtim.tv_nsec);
    show("utimensat of nothing", utimensat(AT_FDCWD, "g", times, 0));

    show("mknod", mknod("m", S_IFREG | 0600, 0));
    show("mknod again", mknod("m", S_IFREG | 0600, 0));
    show("mknodat", mknodat(AT_FDCWD, "n", S_IFREG | 0600, 0));
    show("renameat2", syscall(SYS_renameat2, AT_FDCWD, "m", AT_FDCWD, "n", 1));
    show("renameat2", syscall(SYS_renameat2, AT_FDCWD, "m", AT_FDCWD, "o", 1));

    struct pollfd polled = {fd, POLLIN, 0};
    struct timespec at_once = {0, 0};
    show("ppoll", ppoll(&polled, 1, &at_once, NULL));
    printf("%d\n", polled.revents);
    struct winsize size;
    show("ioctl", ioctl(1, TIOCGWINSZ, &size));
    show("ioctl of nothing", ioctl(77, TIOCGWINSZ, &size));
    show("sched_yield", sched_yield());
    show("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &at_once, NULL));
    struct timespec wrong = {0, 1000000000};
    show("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL));
    show("tgkill", syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), 0));
    return 0;
}
