#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *name) {
    struct stat status;
    if (stat(name, &status))
        printf("%s: none\n", name);
    else
        printf("%s: %o %d %ld\n", name, status.st_mode, (int)status.st_nlink,
               S_ISREG(status.st_mode) ? (long)status.st_size : -1);
}

int main(void) {
    umask(022);
    close(open("a", O_CREAT | O_WRONLY, 0666));
    close(open("b", O_CREAT | O_WRONLY, 0777));
    mkdir("d", 0777);
    printf("%o\n", umask(077));
    close(open("c", O_CREAT | O_WRONLY, 0666));
    show("a");
    show("b");
    show("c");
    show("d");
    printf("%d\n", chmod("a", 0640));
    int fd = open("a", O_WRONLY);
    write(fd, "12345", 5);
    fchmod(fd, 0604);
    struct stat status, other;
    fstat(fd, &status);
    printf("%o %ld\n", status.st_mode, (long)status.st_size);
    link("a", "a2");
    show("a2");
    stat("a2", &other);
    printf("%d\n", status.st_ino == other.st_ino && status.st_dev == other.st_dev);
    truncate("a2", 2);
    show("a");
    mkdir("d/e", 0755);
    show("d");
    fstatat(AT_FDCWD, "d", &other, AT_SYMLINK_NOFOLLOW);
    printf("%d\n", S_ISDIR(other.st_mode));
    stat("/dev/null", &other);
    printf("%d %o\n", S_ISCHR(other.st_mode), other.st_mode & 0777);
    printf("%d %d\n", access("a", R_OK | W_OK), access("none", F_OK));
    struct timespec times[2] = {{100, 5}, {200, 7}};
    futimens(fd, times);
    fstat(fd, &status);
    printf("%ld.%ld %ld.%ld\n", (long)status.st_atim.tv_sec, status.st_atim.tv_nsec, (long)status.st_mtim.tv_sec,
           status.st_mtim.tv_nsec);
    return 0;
}
