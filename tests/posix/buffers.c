#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    /* Output through the library waits in a buffer; direct output does not. */
    printf("start\n");
    fflush(stdout);
    printf("first, shown second\n");
    write(1, "second, shown first\n", 20);
    fflush(stdout);
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("a");
    write(1, "b", 1);
    printf("c\n");
    FILE *file = tmpfile();
    char block[1000];
    for (int i = 0; i < 5; i++) {
        memset(block, 'a' + i, sizeof block);
        fwrite(block, 1, sizeof block, file);
    }
    printf("%ld\n", ftell(file));
    rewind(file);
    int counts[5] = {0}, c;
    while ((c = fgetc(file)) != EOF)
        counts[c - 'a']++;
    printf("%d %d %d\n", counts[0], counts[2], counts[4]);
    fclose(file);
    char memory[32];
    file = fmemopen(memory, sizeof memory, "w");
    fprintf(file, "in %s", "memory");
    fclose(file);
    puts(memory);
    char *text;
    size_t size;
    file = open_memstream(&text, &size);
    fprintf(file, "%d-%d", 12, 34);
    fclose(file);
    printf("%s %zu\n", text, size);
    return 0;
}
