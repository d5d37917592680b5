// options: --sym-arg 1 --sym-files 1 4
// paths: 3
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* A position that depends on the input stays unknown: reading there forks only on being before the end, and on the byte
 * that is read being zero. */
int main(int argc, char **argv) {
    (void)argc;
    int fd = open("A", O_RDONLY);
    char c;
    lseek(fd, (unsigned char)argv[1][0], SEEK_SET);
    if (read(fd, &c, 1) == 0)
        return 2;
    if (c == 0)
        puts("zero");
    return 0;
}
