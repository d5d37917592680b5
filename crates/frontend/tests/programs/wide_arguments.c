// Variadic arguments that are aligned to 16 bytes, which clang passes as two registers.
#include <stdarg.h>
void out(long long);

struct aligned { _Alignas(16) long a, b; };

static void print(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': out(va_arg(list, int)); break;
        case 'd': out((long)va_arg(list, double)); break;
        case 'w': { __int128 x = va_arg(list, __int128); out((long long)x), out((long long)(x >> 64)); break; }
        case 'a': { struct aligned s = va_arg(list, struct aligned); out(s.a), out(s.b); break; }
        }
    va_end(list);
}

int main(void) {
    __int128 w = ((__int128)5 << 64) + 7;
    struct aligned a = {3, 4};
    print("iwi", 1, w, 2);
    print("wiwdw", w, 1, -w, 2.0, w + 1);
    print("iaiawaaw", 1, a, 2, a, w, a, a, w);
    print("wwwwww", w, w, w, w, w, w);
    return 0;
}
