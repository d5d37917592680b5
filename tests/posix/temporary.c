#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char one[] = "tmpXXXXXX", two[] = "tmpXXXXXX", directory[] = "dirXXXXXX";
    int first = mkstemp(one), second = mkstemp(two);
    printf("%d %d\n", first >= 0 && second >= 0, strcmp(one, two) != 0);
    struct stat status;
    fstat(first, &status);
    printf("%o\n", status.st_mode & 0777);
    printf("%d\n", mkdtemp(directory) != NULL);
    stat(directory, &status);
    printf("%d %o\n", S_ISDIR(status.st_mode), status.st_mode & 0777);
    FILE *file = fdopen(second, "w+");
    fputs("text", file);
    fseek(file, 0, SEEK_SET);
    char text[8];
    printf("%s\n", fgets(text, sizeof text, file));
    fclose(file);
    printf("%d %d %d\n", unlink(one), unlink(two), rmdir(directory));
    return 0;
}
