// A check sum by a table of four unknown nibbles, each of which is decided on.
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    unsigned table[16];
    for (unsigned i = 0; i < 16; i++) {
        table[i] = i;
        for (int k = 0; k < 4; k++) table[i] = table[i] & 1 ? 0xedb88320u ^ (table[i] >> 1) : table[i] >> 1;
    }
    unsigned char text[3];
    klee_make_symbolic(text, sizeof text, "text");
    unsigned crc = 0xffffffffu;
    for (int i = 0; i < 3; i++) {
        unsigned nibble = text[i] & 15, known = 0;
        while (known < 15 && known != nibble) known++;
        crc = table[(crc ^ known) & 15] ^ (crc >> 4);
    }
    return crc & 0x7f;
}
