#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int main(void) {
    FILE *file = fopen("f", "w+");
    fprintf(file, "line %d\n", 1);
    fputs("line 2\nlast", file);
    struct stat status;
    stat("f", &status);
    printf("%ld\n", (long)status.st_size);
    fflush(file);
    stat("f", &status);
    printf("%ld %ld\n", (long)status.st_size, ftell(file));
    rewind(file);
    char line[32];
    while (fgets(line, sizeof line, file))
        printf("[%s]", line);
    printf("\n%d %d\n", feof(file) != 0, ferror(file) != 0);
    fseek(file, 5, SEEK_SET);
    printf("%c", getc(file));
    ungetc('Z', file);
    printf("%c%c\n", getc(file), getc(file) == '\n' ? 'n' : '?');
    fseek(file, -4, SEEK_END);
    printf("%s\n", fgets(line, sizeof line, file));
    fseek(file, 0, SEEK_SET);
    fputc('L', file);
    fclose(file);
    file = fopen("f", "a");
    fputs("!", file);
    fclose(file);
    file = freopen("f", "r", stdin);
    printf("%d\n", file == stdin);
    int c, count = 0;
    while ((c = getchar()) != EOF)
        count++;
    printf("%d\n", count);
    errno = 0;
    printf("%d %d\n", fopen("none", "r") == NULL, errno);
    printf("%d %d\n", fopen("f", "wx") == NULL, errno);
    file = fopen("f", "r");
    printf("%d", fputc('x', file));
    printf(" %d\n", ferror(file) != 0);
    fclose(file);
    printf("%d %d\n", remove("f"), remove("f"));
    return 0;
}
