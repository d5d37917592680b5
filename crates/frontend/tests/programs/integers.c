// Integer arithmetic of all widths, and the compiler's builtins.
#include <limits.h>
#include <stdint.h>
void out(long long);
void out128(__int128 x) {
    out((long long)x);
    out((long long)(x >> 64));
}

static const int values[] = {0, 1, -1, 2, 7, -13, 255, 256, 65535, 1 << 20, INT_MAX, INT_MIN, 0x12345678, (int)0xdeadbeef};
enum { COUNT = sizeof values / sizeof *values };

static void pairs(int a, int b) {
    int r;
    unsigned char c;
    long l;
    unsigned u;
    out(__builtin_add_overflow(a, b, &r)), out(r);
    out(__builtin_sub_overflow(a, b, &r)), out(r);
    out(__builtin_mul_overflow(a, b, &r)), out(r);
    out(__builtin_mul_overflow((unsigned)a, (unsigned)b, &u)), out(u);
    out(__builtin_add_overflow(a, b, &c)), out(c);
    out(__builtin_mul_overflow((long)a << 20, (long)b << 14, &l)), out(l);
    out(a < b), out((unsigned)a < (unsigned)b), out(a <= b), out((unsigned)a >= (unsigned)b);
    if (b && !(a == INT_MIN && b == -1))
        out(a / b), out(a % b), out((unsigned)a / (unsigned)b), out((unsigned)a % (unsigned)b);
    out(a >> (b & 31)), out((unsigned)a >> (b & 31)), out((unsigned)a << (b & 31));
    out(__builtin_elementwise_max(a, b)), out(__builtin_elementwise_min((unsigned)a, (unsigned)b));
    out(__builtin_elementwise_add_sat(a, b)), out(__builtin_elementwise_sub_sat((unsigned)a, (unsigned)b));
    out(__builtin_elementwise_add_sat((short)a, (short)b)), out(__builtin_elementwise_sub_sat((signed char)a, (signed char)b));
    out(__builtin_rotateleft32(a, b)), out(__builtin_rotateright32(a, b));
    out(__builtin_rotateleft64((uint64_t)a * 0x9e3779b97f4a7c15u, b)), out(__builtin_rotateright8(a, b)), out(__builtin_rotateleft16(a, b));
    __int128 wide = ((__int128)a << 70) ^ ((__int128)b * 0x123456789abcdefLL);
    out128(wide), out128(wide >> (b & 127)), out128(wide * b), out128((unsigned __int128)wide >> (a & 127));
    if (b)
        out128(wide / b), out128(wide % b), out128((unsigned __int128)wide / (unsigned)b);
}

struct bits {
    unsigned a : 3, b : 7;
    signed c : 5;
    unsigned long d : 40;
    _Bool e : 1;
};

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        int x = values[i];
        out(__builtin_popcount(x)), out(__builtin_bswap32(x)), out(__builtin_bswap16(x)), out(__builtin_bitreverse32(x));
        out(__builtin_ffs(x)), out(__builtin_parity(x)), out(__builtin_clrsb(x)), out(__builtin_abs(x == INT_MIN ? 0 : x));
        if (x)
            out(__builtin_clz(x)), out(__builtin_ctz(x)), out(__builtin_clzll(x)), out(__builtin_ctzll((uint64_t)x << 9));
        out((signed char)x), out((unsigned char)x), out((short)x), out((_Bool)x), out((long)x), out((unsigned)x), out(~x), out(-(long)x), out(!x);
        for (int j = 0; j < COUNT; j++)
            pairs(x, values[j]);
    }
    struct bits f = {5, 100, -3, 0x1234567890ul, 1};
    f.b += 50;
    f.c--;
    f.d <<= 3;
    f.a ^= 6;
    out(f.a), out(f.b), out(f.c), out(f.d), out(f.e), out(sizeof f);
    unsigned _BitInt(37) odd = 0x1fffffffffULL;
    odd += 3;
    out((long long)odd), out((long long)(_BitInt(100))odd * -7);
    out(__builtin_constant_p(3)), out(__builtin_expect(values[3], 2)), out(__builtin_object_size(values, 0) > 0);
    return 0;
}
