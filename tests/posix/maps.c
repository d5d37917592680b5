#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int fd = open("f", O_CREAT | O_RDWR, 0644);
    write(fd, "mapped file", 11);
    char *text = mmap(NULL, 11, PROT_READ, MAP_PRIVATE, fd, 0);
    printf("%.11s %d\n", text, text[11]);
    char *copy = mmap(NULL, 11, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    copy[0] = 'M';
    char c;
    pread(fd, &c, 1, 0);
    printf("%c %c\n", copy[0], c);
    printf("%d %d\n", munmap(text, 11), munmap(copy, 11));
    int *zeros = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d %d\n", zeros[0], zeros[1023]);
    munmap(zeros, 4096);
    printf("%d %d\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED, errno);
    printf("%d %d\n", mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED, errno);
    return 0;
}
