#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    int fd = open("f", O_CREAT | O_RDWR | O_EXCL, 0644);
    write(fd, "still here", 10);
    printf("%d\n", unlink("f"));
    printf("%d %d\n", open("f", O_RDONLY), errno);
    char text[16];
    lseek(fd, 0, SEEK_SET);
    ssize_t n = read(fd, text, sizeof text);
    printf("%.*s\n", (int)n, text);
    struct stat status;
    fstat(fd, &status);
    printf("%d %d\n", (int)status.st_nlink, (int)status.st_size);
    int again = open("f", O_CREAT | O_RDWR | O_EXCL, 0644);
    printf("%zd\n", read(again, text, sizeof text));
    close(fd);
    printf("%d %d\n", close(fd), errno);
    printf("%d %d\n", open("f", O_CREAT | O_EXCL | O_RDWR, 0644), errno);
    printf("%d %d\n", unlink("f"), unlink("f"));
    return 0;
}
