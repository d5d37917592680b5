// A decoder of base 64, on six unknown characters.
extern void klee_make_symbolic(void *, unsigned long, const char *);
static int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    if (c == '/') return 63;
    return -1;
}
int main(void) {
    char text[6];
    unsigned char out[8];
    unsigned bits = 0, count = 0, len = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 6; i++) {
        int value = value_of(text[i]);
        if (value < 0) return 1;
        bits = bits << 6 | value;
        count += 6;
        if (count >= 8) out[len++] = bits >> (count -= 8);
    }
    return out[0] ^ out[1] ^ out[2] ^ out[3];
}
