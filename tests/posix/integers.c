#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = {"42", "-17", " +8", "0x1f", "077", "8z", "9223372036854775808", "-9223372036854775809"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        errno = 0;
        long value = strtol(texts[i], &end, 0);
        printf("%ld %d [%s]\n", value, errno, end);
    }
    printf("%ld %ld %lu\n", strtol("zz", NULL, 36), strtol("101", NULL, 2), strtoul("-1", NULL, 10));
    printf("%d %ld %lld\n", atoi("12abc"), atol("-5"), atoll("1234567890123"));
    printf("%d|%5d|%-5d|%05d|%+d|% d\n", 7, 42, 42, 42, 42, 42);
    printf("%x %X %#x %o %#o %u\n", 255, 255, 255, 8, 8, UINT_MAX);
    printf("%hhd %hd %ld %lld %zu %jd %td\n", (char)-1, (short)-2, LONG_MIN, LLONG_MAX, sizeof(int), INTMAX_C(5),
           (ptrdiff_t)-3);
    printf("%*d|%-*d|%.*s|%.3d\n", 6, 1, 6, 2, 2, "abcdef", 5);
    printf("%2$s %1$s\n", "world", "hello");
    printf("%c%%%5s|%-5s|%.2s\n", 'x', "ab", "ab", "abc");
    int n;
    printf("count%n", &n);
    printf(" %d\n", n);
    char text[8];
    printf("%d %s\n", snprintf(text, sizeof text, "%d", 123456789), text);
    div_t d = div(-7, 2);
    printf("%d %d %ld\n", d.quot, d.rem, labs(-9L));
    return 0;
}
