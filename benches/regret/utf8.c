// A validator of UTF-8 that sums code points up, on five unknown bytes.
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    unsigned char text[5];
    unsigned sum = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 5;) {
        unsigned char c = text[i++];
        int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
        if (more < 0) return 1;
        unsigned point = more == 0 ? c : c & (0x3f >> more);
        while (more--) {
            if (i == 5 || (text[i] & 0xc0) != 0x80) return 2;
            point = point << 6 | (text[i++] & 0x3f);
        }
        sum += point;
    }
    return sum & 0x7f;
}
