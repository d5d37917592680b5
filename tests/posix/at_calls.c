#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    mkdir("d", 0755);
    int d = open("d", O_RDONLY | O_DIRECTORY);
    printf("%d\n", mkdirat(d, "sub", 0755));
    int fd = openat(d, "sub/f", O_CREAT | O_WRONLY, 0600);
    write(fd, "xyz", 3);
    close(fd);
    struct stat status;
    printf("%d %ld\n", fstatat(d, "sub/f", &status, 0), (long)status.st_size);
    printf("%d\n", renameat(d, "sub/f", AT_FDCWD, "moved"));
    printf("%d\n", linkat(AT_FDCWD, "moved", d, "linked", 0));
    printf("%d\n", symlinkat("linked", d, "soft"));
    char text[16];
    ssize_t n = readlinkat(d, "soft", text, sizeof text);
    printf("%.*s\n", (int)n, text);
    printf("%d\n", fchmodat(d, "soft", 0400, 0));
    stat("moved", &status);
    printf("%o\n", status.st_mode & 0777);
    printf("%d %d\n", unlinkat(d, "sub", 0), errno);
    printf("%d\n", unlinkat(d, "sub", AT_REMOVEDIR));
    printf("%d\n", faccessat(d, "linked", F_OK, 0));
    printf("%d\n", fchdir(d));
    printf("%d\n", access("soft", F_OK));
    printf("%d\n", unlink("linked"));
    printf("%d %d\n", access("soft", F_OK), errno);
    return 0;
}
