// A block cipher with a known key, of a block of which eight bits are unknown; then each is tested.
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    unsigned key[4] = {0x27f917b1, 0xc1da8993, 0x60e2acaa, 0xa6eb923d};
    unsigned char unknown;
    unsigned long tested = 0;
    klee_make_symbolic(&unknown, sizeof unknown, "unknown");
    for (int round = 0; round < 200; round++) {
        unsigned v0 = 0xaf20a390 + round, v1 = 0x547571aa, sum = 0;
        for (int i = 0; i < 32; i++) {
            v0 += (((v1 << 4) ^ (v1 >> 5)) + v1) ^ (sum + key[sum & 3]);
            sum += 0x9e3779b9;
            v1 += (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (sum + key[(sum >> 11) & 3]);
        }
        tested += v0 ^ v1;
    }
    for (int bit = 0; bit < 8; bit++)
        if (unknown >> bit & 1) tested = tested * 31 + bit;
    return tested & 0x7f;
}
