// options: --sym-arg 1 --sym-files 2 4
// paths: 6
#include <fcntl.h>
#include <unistd.h>

/* An argument of at most one character: empty, a slash, a dot, A, B, or no file. Opening a directory for writing fails
 * like opening none. */
int main(int argc, char **argv) {
    (void)argc;
    return open(argv[1], O_WRONLY) >= 0 ? 0 : 1;
}
