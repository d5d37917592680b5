// headers: musl
#include <regex.h>
#include <stdio.h>

/* regmatch_t is another one in glibc's headers. */
int main(void) {
    regex_t expression;
    regmatch_t match[2];
    printf("%d\n", regcomp(&expression, "a(b+)c", REG_EXTENDED));
    const char *texts[] = {"xxabbcx", "abc", "ac", ""};
    for (int i = 0; i < 4; i++) {
        int result = regexec(&expression, texts[i], 2, match, 0);
        printf("%d", result);
        if (!result)
            printf(" %d-%d", (int)match[1].rm_so, (int)match[1].rm_eo);
        printf("\n");
    }
    regfree(&expression);
    printf("%d\n", regcomp(&expression, "(", REG_EXTENDED) != 0);
    return 0;
}
