// options: --fs-fail 1
// paths: 4
#include <fcntl.h>
#include <unistd.h>

/* At most one of three calls fails: open, write, close, or none. */
int main(void) {
    int fd = open("f", O_CREAT | O_WRONLY, 0644);
    if (fd < 0)
        return 1;
    if (write(fd, "x", 1) != 1)
        return 2;
    return close(fd) ? 3 : 0;
}
