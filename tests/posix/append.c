#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void show(const char *name) {
    char text[64];
    int fd = open(name, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text);
    printf("%.*s (%zd)\n", (int)n, text, n);
    close(fd);
}

int main(void) {
    int fd = open("log", O_CREAT | O_WRONLY | O_APPEND, 0644);
    write(fd, "abc", 3);
    lseek(fd, 0, SEEK_SET);
    write(fd, "def", 3);
    printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
    pwrite(fd, "ghi", 3, 0);
    close(fd);
    show("log");
    fd = open("log", O_WRONLY);
    write(fd, "X", 1);
    close(fd);
    show("log");
    fd = open("log", O_WRONLY | O_TRUNC);
    write(fd, "new", 3);
    fcntl(fd, F_SETFL, O_APPEND);
    lseek(fd, 1, SEEK_SET);
    write(fd, "er", 2);
    printf("%d\n", (fcntl(fd, F_GETFL) & (O_APPEND | O_ACCMODE)) == (O_APPEND | O_WRONLY));
    close(fd);
    show("log");
    return 0;
}
