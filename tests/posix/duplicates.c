#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int first = open("f", O_CREAT | O_RDWR, 0644);
    int second = dup(first);
    int other = open("f", O_RDWR);
    write(first, "abcdef", 6);
    printf("%ld %ld\n", (long)lseek(second, 0, SEEK_CUR), (long)lseek(other, 0, SEEK_CUR));
    lseek(second, 2, SEEK_SET);
    char c[4];
    read(first, c, 2);
    printf("%.2s\n", c);
    close(first);
    printf("%zd %.2s\n", read(second, c, 2), c);
    int high = fcntl(second, F_DUPFD, 20);
    printf("%d %d\n", high, fcntl(high, F_GETFD));
    int quiet = fcntl(second, F_DUPFD_CLOEXEC, 30);
    printf("%d %d\n", quiet, fcntl(quiet, F_GETFD));
    fcntl(quiet, F_SETFD, 0);
    printf("%d\n", fcntl(quiet, F_GETFD));
    printf("%d %d\n", dup2(second, second) == second, dup2(second, 40));
    printf("%d %d\n", dup2(99, 41), errno);
    printf("%d %d\n", dup(-1), errno);
    printf("%d %d\n", dup2(second, -1), errno);
    /* Standard output goes to the file for a while. */
    fflush(stdout);
    int saved = dup(1);
    dup2(other, 1);
    printf("into the file\n");
    fflush(stdout);
    dup2(saved, 1);
    lseek(other, 0, SEEK_SET);
    char text[32];
    ssize_t n = read(other, text, sizeof text);
    printf("%.*s", (int)n, text);
    return 0;
}
