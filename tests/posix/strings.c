#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char text[64] = "abc";
    printf("%s %zu\n", strcat(strcpy(text, "one"), " two"), strlen(text));
    printf("%s\n", strncat(text, " three", 3));
    printf("%d %d %d\n", strcmp("a", "b") < 0, strncmp("abc", "abd", 2), strcasecmp("HeLLo", "hEllO"));
    printf("%s %s\n", strchr("hello", 'l'), strrchr("hello", 'l'));
    printf("%s %d\n", strstr("needle in hay", "in"), strstr("a", "b") == NULL);
    printf("%zu %zu\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"));
    char list[] = "a,b;;c";
    for (char *part = strtok(list, ",;"); part; part = strtok(NULL, ",;"))
        printf("<%s>", part);
    printf("\n");
    char fields[] = "x::y", *rest = fields, *field;
    while ((field = strsep(&rest, ":")))
        printf("<%s>", field);
    printf("\n");
    printf("%d %d\n", memcmp("abc", "abd", 3) < 0, memchr("abc", 'z', 3) == NULL);
    memmove(text + 2, text, 5);
    printf("%.7s\n", text);
    printf("%s\n", strpbrk("find any", "yn"));
    printf("%s\n", strerror(2));
    char copy[4];
    printf("%.4s|\n", strncpy(copy, "toolong", 4));
    printf("%s\n", stpcpy(text, "end") - 3);
    printf("%s %s\n", strdup("copied"), strndup("shortened", 5));
    printf("%s\n", (char *)memmem("haystack", 8, "st", 2));
    return 0;
}
