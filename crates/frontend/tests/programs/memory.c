// Objects in memory: structs, arrays, unions, globals with addresses in them.
#include <stddef.h>
#include <stdint.h>
void out(long long);
void *malloc(size_t);

struct point {
    char tag;
    int x, y;
};
struct shape {
    struct point corners[3];
    double weight;
    struct shape *next;
    short odd[5];
};
struct __attribute__((packed)) tight {
    char a;
    int b;
    short c;
};

static struct shape second = {{{'d', 7, 8}}, 0.5, 0, {9}};
static struct shape first = {{{'a', 1, 2}, {'b', 3, 4}, {'c', 5, 6}}, 2.5, &second, {1, 2, 3, 4, 5}};
static int numbers[10] = {1, 2, [5] = 50, [9] = 90};
static int *const middle = &numbers[5];
static int *past = numbers + 10;
static const char *words[] = {"zero", "one", "two"};
static char text[] = "hello";
static uintptr_t as_number = (uintptr_t)&numbers[3];
static struct tight tight = {1, 0x01020304, 5};
static union {
    float f;
    unsigned u;
    char c[8];
} both = {.f = 1.5f};
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*const functions[])(int) = {twice, thrice};
static long distance = 0;
static int zeros[1000];
static _Bool flag = 1;
static __int128 big = ((__int128)7 << 70) + 3;
extern int later[];
int alias_target = 44;
extern int other_name __attribute__((alias("alias_target")));

static struct shape copied(const struct shape *from) {
    struct shape result = *from;
    result.corners[1].x += 100;
    return result;
}

static void bytes(const void *at, size_t n) {
    for (size_t i = 0; i < n; i++)
        out(((const unsigned char *)at)[i]);
}

__attribute__((constructor)) static void early(void) { numbers[2] = 22; }

int main(void) {
    for (struct shape *s = &first; s; s = s->next)
        for (int i = 0; i < 3; i++)
            out(s->corners[i].tag), out(s->corners[i].x), out(s->corners[i].y), out(s->odd[i + 2]);
    struct shape c = copied(&first);
    out(c.corners[1].x), out(first.corners[1].x), out(c.next == &second), out((long)(c.weight * 4));
    for (int i = 0; i < 10; i++)
        out(numbers[i]);
    out(*middle), out(middle[-5]), out(past - numbers), out(*(int *)as_number), out(past[-1]);
    for (int i = 0; i < 3; i++)
        for (const char *p = words[i]; *p; p++)
            out(*p);
    text[1] = 'a';
    bytes(text, sizeof text);
    tight.b++;
    bytes(&tight, sizeof tight);
    out(both.u), out(both.c[3]);
    for (int i = 0; i < 4; i++)
        out(functions[i & 1](i + 5));
    zeros[999] = 3;
    out(zeros[999] + zeros[5]), out(flag), out((long long)(big >> 64)), out((long long)big);
    later[1] = 5;
    out(later[0] + later[1]), out(other_name);
    int n = 7 + (int)distance;
    int vla[n][3];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            vla[i][j] = i * j;
    out(vla[6][2]), out(sizeof vla);
    char *block = malloc(40);
    __builtin_memset(block, 0x5a, 40);
    __builtin_memcpy(block + 3, &first.corners[1], sizeof first.corners[1]);
    __builtin_memmove(block + 5, block + 3, 20);
    bytes(block + 3, 1), bytes(block + 5, 1), bytes(block + 30, 2);
    int local[5] = {1, 2, 3};
    int *p = local;
    p += 2;
    out(*p++), out(*p), out(p - local), out(&local[4] - p), out(offsetof(struct shape, odd));
    struct {
        int a;
        char tail[];
    } *flexible = malloc(20);
    flexible->tail[7] = 8;
    out(flexible->tail[7]);
    return 0;
}
int later[2] = {70, 80};
