#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int fd = open("data", O_CREAT | O_RDWR, 0600);
    write(fd, "0123456789", 10);
    printf("%ld\n", (long)lseek(fd, -3, SEEK_END));
    char c[8] = "";
    printf("%zd %.3s\n", read(fd, c, sizeof c), c);
    printf("%zd\n", read(fd, c, sizeof c));
    printf("%ld\n", (long)lseek(fd, 15, SEEK_SET));
    printf("%zd\n", read(fd, c, 1));
    write(fd, "end", 3);
    lseek(fd, 8, SEEK_SET);
    unsigned char bytes[16];
    ssize_t n = read(fd, bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; i++)
        printf("%d ", bytes[i]);
    printf("\n%ld %d\n", (long)lseek(fd, -100, SEEK_CUR), errno);
    printf("%ld %d\n", (long)lseek(fd, 0, 99), errno);
    printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
    printf("%zd", pread(fd, c, 4, 2));
    printf(" %.4s %ld\n", c, (long)lseek(fd, 0, SEEK_CUR));
    printf("%zd\n", pwrite(fd, "AB", 2, 1));
    ftruncate(fd, 4);
    lseek(fd, 0, SEEK_SET);
    n = read(fd, c, sizeof c);
    printf("%zd %.*s\n", n, (int)n, c);
    ftruncate(fd, 6);
    n = pread(fd, bytes, sizeof bytes, 0);
    for (ssize_t i = 0; i < n; i++)
        printf("%d ", bytes[i]);
    printf("\n");
    errno = 0;
    printf("%zd %d\n", pread(fd, c, 1, -1), errno);
    printf("%d %d\n", ftruncate(fd, -1), errno);
    return 0;
}
