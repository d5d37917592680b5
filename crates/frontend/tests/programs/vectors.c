// Vectors, which are spread over registers, and atomic operations.
#include <stdint.h>
void out(long long);
typedef int int4 __attribute__((ext_vector_type(4)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef unsigned char byte16 __attribute__((ext_vector_type(16)));
typedef short short8 __attribute__((ext_vector_type(8)));
typedef long long2 __attribute__((ext_vector_type(2)));
typedef _Bool bool8 __attribute__((ext_vector_type(8)));
typedef int int3 __attribute__((ext_vector_type(3)));

static void out4(int4 v) { for (int i = 0; i < 4; i++) out(v[i]); }
static int4 set(int4 v, int i, int x) { v[i] = x; return v; }
static bool8 stored;
static int4 table[2] = {{1, 2, 3, 4}, {-1, -2, -3, -4}};

static int4 arithmetic(int4 a, int4 b) {
    int4 c = a * b + 3 - (a >> 1) ^ (b << 2);
    return c > b ? c / 3 : a % 5;
}

static int counter;
static void atomics(void) {
    int expected = 3;
    uint8_t small = 250;
    long wide = -7;
    out(__atomic_fetch_add(&counter, 5, __ATOMIC_SEQ_CST)), out(__atomic_sub_fetch(&counter, 2, __ATOMIC_RELAXED));
    out(__atomic_compare_exchange_n(&counter, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)), out(counter), out(expected);
    out(__atomic_compare_exchange_n(&counter, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)), out(counter), out(expected);
    out(__sync_fetch_and_nand(&counter, 6)), out(__atomic_fetch_or(&counter, 64, 0)), out(__atomic_fetch_xor(&counter, 3, 0));
    out(__atomic_exchange_n(&counter, 77, 0)), out(__atomic_load_n(&counter, 0)), out(__atomic_add_fetch(&small, 10, 0));
    out(__atomic_fetch_min(&wide, 5, 0)), out(__atomic_fetch_max(&wide, 100, 0)), out(wide);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// Vectorised with masks, gathers and scatters if the machine has them.
static void masked(int *restrict a, const int *restrict b, const int *restrict index, int n) {
    for (int i = 0; i < n; i++)
        if (b[i] > 3)
            a[i] = b[index[i]] + a[i];
}

static const char *name(int i) {
    switch (i) {
    case 0: return "zero";
    case 1: return "one";
    case 2: return "two";
    case 3: return "three";
    case 4: return "four";
    case 5: return "five";
    }
    return "many";
}

int main(void) {
    int x[37], y[37], z[37];
    for (int i = 0; i < 37; i++)
        x[i] = i * 3, y[i] = i % 7, z[i] = (i * 5) % 37;
    masked(x, y, z, 37);
    for (int i = 0; i < 37; i++)
        out(x[i]);
    for (int i = 0; i < 8; i++)
        out(name(i)[1]);
    int4 a = {1, -2, 30, 4000}, b = {7, 8, -9, 10};
    out4(a + b), out4(arithmetic(a, b)), out4(arithmetic(b, a)), out4(-a), out4(~a), out4(a == b), out4(a < b);
    for (int i = 0; i < 4; i++) {
        out4(set(a, i, 99));
        out(b[i]);
        table[1][i] += i;
    }
    out4(table[1]), out4(table[0]);
    out4(__builtin_shufflevector(a, b, 0, 5, 2, 7)), out4(a.wzyx), out4(a.xxyy);
    float4 f = __builtin_convertvector(a, float4) * 0.5f;
    out4(__builtin_convertvector(f, int4)), out4((int4)f);
    byte16 bytes = (byte16)a;
    for (int i = 0; i < 16; i++)
        out(bytes[i]);
    short8 shorts = (short8)bytes;
    out(shorts[3]), out(((long2)shorts)[1]), out(((long2){3, 4})[1]);
    out(__builtin_reduce_add(a)), out(__builtin_reduce_max(a)), out(__builtin_reduce_xor(b)), out(__builtin_reduce_min(b));
    bool8 m = {1, 0, 1, 1, 0, 0, 1, 0};
    stored = m & ~(bool8){1, 1};
    for (int i = 0; i < 8; i++)
        out(stored[i]);
    out(*(unsigned char *)&stored);
    int3 three = {5, 6, 7};
    three.y += 10;
    out(three.x + three.y * three.z), out(sizeof three);
    out4(__builtin_elementwise_abs(a)), out4(__builtin_elementwise_max(a, b)), out4(a ? a : b);
    atomics();
    return 0;
}
