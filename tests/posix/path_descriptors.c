// Descriptors that stand for a name only (O_PATH, which is musl's O_SEARCH).
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *what, long result) {
    printf("%s: %ld %d\n", what, result, result < 0 ? errno : 0);
}

int main(void) {
    mkdir("d", 0755);
    close(open("f", O_CREAT | O_WRONLY, 0000));
    symlink("f", "l");
    int d = open("d", O_PATH | O_DIRECTORY | O_CLOEXEC);
    show("directory", d >= 0);
    show("file as directory", open("f", O_PATH | O_DIRECTORY));
    int fd = openat(d, "g", O_CREAT | O_WRONLY, 0644);
    show("file in it", fd >= 0);
    show("write", write(fd, "text", 4));
    struct stat status;
    int f = open("f", O_PATH | O_RDWR | O_TRUNC);
    show("unreadable", f >= 0);
    show("fstat", fstat(f, &status));
    printf("%o %ld\n", status.st_mode, (long)status.st_size);
    char c;
    show("read", read(f, &c, 1));
    show("write", write(f, "x", 1));
    show("lseek", lseek(f, 0, SEEK_SET));
    show("ftruncate", ftruncate(f, 0));
    show("flags", fcntl(f, F_GETFL) & (O_PATH | O_ACCMODE));
    show("dup", dup(f) >= 0);
    int l = open("l", O_PATH | O_NOFOLLOW);
    show("fstat of a link", fstat(l, &status));
    printf("%o\n", status.st_mode & S_IFMT);
    show("missing", open("missing", O_PATH | O_CREAT, 0644));
    show("fchdir", fchdir(d));
    show("access", access("g", R_OK));
    return 0;
}
