#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void kind(const char *name) {
    struct stat status;
    errno = 0;
    if (lstat(name, &status))
        printf("%s: error %d\n", name, errno);
    else
        printf("%s: %o %d %s\n", name, status.st_mode & S_IFMT, (int)status.st_nlink,
               S_ISLNK(status.st_mode) ? "link" : "");
}

int main(void) {
    mkdir("d", 0755);
    FILE *file = fopen("d/f", "w");
    fputs("text", file);
    fclose(file);
    printf("%d\n", symlink("d/f", "s"));
    printf("%d\n", symlink("../d", "d/up"));
    printf("%d\n", symlink("loop", "loop"));
    printf("%d\n", symlink("nowhere", "dangling"));
    kind("s");
    kind("d/f");
    kind("d/up/up/up/f");
    char text[16];
    ssize_t n = readlink("s", text, sizeof text);
    printf("%zd %.*s\n", n, (int)n, text);
    printf("%zd %.2s\n", readlink("s", text, 2), text);
    printf("%zd %d\n", readlink("d/f", text, sizeof text), errno);
    printf("%d %d\n", open("loop", O_RDONLY), errno);
    printf("%d %d\n", open("dangling", O_RDONLY), errno);
    printf("%d %d\n", open("s", O_RDONLY | O_NOFOLLOW), errno);
    printf("%d %d\n", open("dangling", O_CREAT | O_EXCL | O_WRONLY, 0644), errno);
    close(open("dangling", O_CREAT | O_WRONLY, 0644));
    kind("nowhere");
    printf("%d\n", link("d/f", "hard"));
    kind("hard");
    printf("%d %d\n", link("d", "hard2"), errno);
    printf("%d %d\n", link("s", "d/f"), errno);
    unlink("d/f");
    kind("hard");
    printf("%d\n", access("s", F_OK));
    char *real = realpath("d/up/../hard", NULL);
    printf("%s\n", real ? strrchr(real, '/') : "none");
    free(real);
    printf("%d %d\n", rmdir("d/up"), errno);
    printf("%d\n", unlink("d/up"));
    return 0;
}
