// stdin: 12 -7 0x1f word 3.5 x=9,y=10\n  rest of line\n
#include <stdio.h>

int main(void) {
    int a, b, x, y;
    unsigned h;
    char word[16], rest[32], set[8];
    double d;
    printf("%d\n", scanf("%d%d%x", &a, &b, &h));
    printf("%d %d %u\n", a, b, h);
    printf("%d\n", scanf("%15s %lf", word, &d));
    printf("%s %g\n", word, d);
    printf("%d\n", scanf(" x=%d,y=%d", &x, &y));
    printf("%d %d\n", x, y);
    printf("%d\n", scanf(" %31[^\n]", rest));
    printf("%s\n", rest);
    printf("%d\n", scanf("%d", &a));
    printf("%d\n", sscanf("abc123", "%7[a-z]%d", set, &a));
    printf("%s %d\n", set, a);
    int n;
    printf("%d\n", sscanf("5 apples", "%d %*s%n", &a, &n));
    printf("%d %d\n", a, n);
    printf("%d\n", sscanf("x", "%d", &a));
    printf("%d\n", sscanf("", "%d", &a));
    char c1, c2;
    printf("%d", sscanf("ab", "%c%c", &c1, &c2));
    printf(" %c%c\n", c1, c2);
    return 0;
}
