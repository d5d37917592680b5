#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define TRY(call) (errno = 0, printf("%-32s %ld %d\n", #call, (long)(call), errno))

int main(void) {
    char text[8], name[300], cwd[2];
    struct stat status;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    int fd = open("f", O_CREAT | O_RDONLY, 0644), out = open("g", O_CREAT | O_WRONLY, 0644);
    TRY(open("none", O_RDONLY));
    TRY(open("", O_RDONLY));
    TRY(open("f/x", O_RDONLY));
    TRY(open(".", O_WRONLY));
    TRY(open("f", O_RDONLY | O_DIRECTORY));
    TRY(open("f/", O_RDONLY));
    TRY(open(name, O_RDONLY));
    TRY(open("x/", O_CREAT | O_WRONLY, 0644));
    TRY(read(99, text, 1));
    TRY(read(out, text, 1));
    TRY(write(fd, text, 1));
    TRY(write(-1, text, 1));
    TRY(close(99));
    TRY(lseek(99, 0, SEEK_SET));
    TRY(lseek(0, 0, SEEK_CUR));
    TRY(stat("none", &status));
    TRY(fstat(99, &status));
    TRY(ftruncate(fd, 0));
    TRY(truncate("none", 0));
    TRY(truncate(".", 0));
    TRY(unlink("none"));
    TRY(unlink("."));
    TRY(rmdir("f"));
    TRY(rmdir("none"));
    TRY(mkdir("f", 0755));
    TRY(mkdir(".", 0755));
    TRY(chdir("none"));
    TRY(fchdir(fd));
    TRY(symlink("", "s"));
    TRY(link("none", "h"));
    TRY(readlink("none", text, 8));
    TRY(getcwd(cwd, 1) != NULL);
    TRY(isatty(fd));
    TRY(isatty(99));
    TRY(fcntl(99, F_GETFL));
    TRY(fcntl(fd, F_DUPFD, -1));
    TRY(openat(fd, "x", O_RDONLY));
    TRY(openat(99, "x", O_RDONLY));
    TRY(access("none", R_OK));
    TRY(access("f", 100));
    TRY(chmod("none", 0));
    TRY(fsync(99));
    TRY(writev(out, (struct iovec[]){{text, 0}}, -1));
    int dev = open("/dev/full", O_WRONLY);
    TRY(write(dev, "x", 1));
    return 0;
}
