// A recursive descent parser and evaluator of expressions, on five unknown characters.
#include <assert.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
static const char *at;
static int failed;
static int sum(void);
static int atom(void) {
    if (*at == '(') {
        at++;
        int value = sum();
        if (*at == ')') at++; else failed = 1;
        return value;
    }
    if (*at < '0' || *at > '9') { failed = 1; return 0; }
    int value = 0;
    while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
    return value;
}
static int product(void) {
    int value = atom();
    while (!failed && (*at == '*' || *at == '/')) {
        char op = *at++;
        int right = atom();
        if (op == '*') value *= right;
        else if (right) value /= right;
        else failed = 1;
    }
    return value;
}
static int sum(void) {
    int value = product();
    while (!failed && (*at == '+' || *at == '-')) value = *at++ == '+' ? value + product() : value - product();
    return value;
}
int main(void) {
    char text[6];
    klee_make_symbolic(text, sizeof text, "text");
    text[5] = 0;
    at = text;
    int value = sum();
    if (!failed && !*at) assert(value < 100000 && value > -100000);
    return 0;
}
