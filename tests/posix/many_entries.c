#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory of more entries than one call gives, emptied while it is read. */
int main(void) {
    char name[300];
    mkdir("d", 0777);
    for (int i = 0; i < 60; i++) {
        snprintf(name, sizeof name, "d/%060d", i);
        fclose(fopen(name, "w"));
    }
    DIR *directory = opendir("d");
    int seen = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        seen++;
        snprintf(name, sizeof name, "d/%s", entry->d_name);
        if (unlink(name))
            printf("cannot remove %s\n", name);
    }
    rewinddir(directory);
    int left = 0;
    while (readdir(directory))
        left++;
    closedir(directory);
    printf("%d %d %d\n", seen, left, rmdir("d"));
    return 0;
}
