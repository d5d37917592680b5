#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static void run(char *name) {
    char *arguments[] = {name, NULL};
    printf("%s: %d", name, execve(name, arguments, arguments + 1));
    printf(" %d\n", errno);
}

int main(void) {
    umask(027);
    printf("%d\n", mkfifo("pipe", 0666));
    printf("%d %d\n", mkfifo("pipe", 0666), errno);
    printf("%d %d\n", mkfifo("none/pipe", 0666), errno);
    struct stat status;
    printf("%d\n", stat("pipe", &status));
    printf("%o %ld %d\n", status.st_mode, (long)status.st_size, (int)status.st_nlink);
    printf("%d\n", mknod("file", S_IFREG | 0777, 0));
    printf("%d\n", lstat("file", &status));
    printf("%o %ld\n", status.st_mode, (long)status.st_size);
    printf("%d %d\n", rename("pipe", "other"), unlink("other"));
    close(open("data", O_CREAT | O_WRONLY, 0666));
    run("data");
    run("none");
    run("none/data");
    run("data/none");
    run(".");
    run("/dev/null");
    struct statfs system;
    printf("%d %d\n", statfs("none", &system), errno);
    printf("%d %d\n", statfs("data/none", &system), errno);
    return 0;
}
