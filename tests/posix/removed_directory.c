#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The working directory is removed: nothing can be made in it, and it has no name. */
int main(void) {
    char where[4096];
    mkdir("d", 0755);
    chdir("d");
    printf("%d\n", rmdir("../d"));
    errno = 0;
    printf("%d", open("f", O_CREAT | O_WRONLY, 0644));
    printf(" %d\n", errno);
    printf("%d", mkdir("sub", 0755));
    printf(" %d\n", errno);
    printf("%d", getcwd(where, sizeof where) != NULL);
    printf(" %d\n", errno);
    struct stat status;
    printf("%d", stat(".", &status));
    printf(" %d %d\n", S_ISDIR(status.st_mode), (int)status.st_nlink);
    printf("%d", open("x", O_RDONLY));
    printf(" %d\n", errno);
    return 0;
}
