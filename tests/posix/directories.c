#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list(const char *name) {
    DIR *directory = opendir(name);
    char *names[32];
    int n = 0;
    for (struct dirent *entry; (entry = readdir(directory));)
        names[n++] = strdup(entry->d_name);
    closedir(directory);
    qsort(names, (size_t)n, sizeof *names, by_name);
    printf("%s:", name);
    for (int i = 0; i < n; i++) {
        printf(" %s", names[i]);
        free(names[i]);
    }
    printf("\n");
}

int main(void) {
    mkdir("d", 0755);
    mkdir("d/e", 0700);
    fclose(fopen("d/file", "w"));
    fclose(fopen("d/e/.hidden", "w"));
    list("d");
    list("./d/../d/e/.");
    printf("%d %d\n", rmdir("d/e"), errno);
    unlink("d/e/.hidden");
    printf("%d\n", rmdir("d/e/"));
    list("d");
    errno = 0;
    printf("%d %d\n", mkdir("d", 0755), errno);
    printf("%d %d\n", mkdir("x/y", 0755), errno);
    printf("%d %d\n", mkdir("d/file/y", 0755), errno);
    printf("%d %d\n", opendir("d/file") != NULL, errno);
    printf("%d %d\n", chdir("d/file"), errno);
    printf("%d\n", chdir("d"));
    list(".");
    printf("%d %d\n", rmdir("."), errno);
    char where[4096];
    printf("%s\n", strrchr(getcwd(where, sizeof where), '/'));
    printf("%d\n", chdir(".."));
    printf("%d\n", access("d/file", F_OK));
    return 0;
}
