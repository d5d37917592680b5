// Ways to call: variadic, structures by value, old-style declarations, pointers, aliases, recursion.
#include <stdarg.h>
void out(long long);

struct small { int a, b; };
struct pair { long a; double b; };
struct large { long a[5]; char tail; };
struct floats { float x, y, z; };
struct mixed { double d; int i; };
struct odd { char c[3]; };

static struct small make_small(int a) { return (struct small){a, a * 2}; }
static struct pair make_pair(long a) { return (struct pair){a, a * 0.5}; }
static struct large make_large(long a) { return (struct large){{a, a + 1, a + 2, a + 3, a + 4}, 'x'}; }
static struct floats make_floats(float x) { return (struct floats){x, x + 1, x + 2}; }
static long sum(struct small s, struct pair p, struct large l, struct floats f, struct odd o) {
    l.a[0] += 1000;
    return s.a + s.b + p.a + (long)p.b + l.a[0] + l.a[4] + l.tail + (long)(f.x + f.y + f.z) + o.c[2];
}

static long long variadic(const char *kinds, ...) {
    va_list list, copy;
    va_start(list, kinds);
    va_copy(copy, list);
    long long total = 0;
    for (const char *k = kinds; *k; k++)
        switch (*k) {
        case 'i': total = total * 3 + va_arg(list, int); break;
        case 'l': total = total * 3 + va_arg(list, long long); break;
        case 'd': total = total * 3 + (long long)(va_arg(list, double) * 8); break;
        case 'p': total = total * 3 + *va_arg(list, int *); break;
        case 's': { struct small s = va_arg(list, struct small); total = total * 3 + s.a - s.b; break; }
        case 'P': { struct pair s = va_arg(list, struct pair); total = total * 3 + s.a - (long)s.b; break; }
        case 'L': { struct large s = va_arg(list, struct large); total = total * 3 + s.a[4] - s.tail; break; }
        case 'm': { struct mixed s = va_arg(list, struct mixed); total = total * 3 + (long)s.d + s.i; break; }
        }
    va_end(list);
    if (*kinds == 'i')
        total += va_arg(copy, int);
    va_end(copy);
    return total;
}

static long long forward(const char *kinds, va_list *list) { return *kinds == 'i' ? va_arg(*list, int) : (long long)va_arg(*list, double); }
static long long forwarded(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    long long a = forward(kinds, &list), b = forward(kinds + 1, &list);
    va_end(list);
    return a * 100 + b;
}

int old_style();
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
int original(int x) { return x + 7; }
int renamed(int) __attribute__((alias("original")));
extern int missing(int) __attribute__((weak));
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int even(unsigned n);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

int main(void) {
    int x = 42, y = 43;
    struct odd o = {{1, 2, 3}};
    struct large l = make_large(10);
    out(sum(make_small(5), make_pair(9), l, make_floats(1.5f), o)), out(l.a[0]);
    out(variadic("iii", 1, -2, 3));
    out(variadic("ildp", 1, 1LL << 40, 2.5, &x));
    out(variadic("sPLimd", make_small(3), make_pair(77), l, 8, (struct mixed){2.0, 9}, 4.25));
    out(variadic("ddddddddddd", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0));
    out(variadic("iiiiiiiiiL", 1, 2, 3, 4, 5, 6, 7, 8, 9, l));
    out(forwarded("id", 4, 5.0)), out(forwarded("di", 4.0, 5));
    out(old_style(1, 2)), out(old_style(-1, 70000));
    int (*unprototyped)() = old_style;
    out(unprototyped(5, 6));
    out(apply(add, 3, 4)), out(apply(sub, 3, 4)), out(renamed(1)), out(missing ? missing(1) : -1);
    out(ackermann(2, 3)), out(even(10)), out(odd(7));
    swap(&x, &y);
    out(x * 100 + y);
    return 0;
}
int old_style(a, b) int a; short b; { return a * 10 + b; }
