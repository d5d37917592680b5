// Reads options and their values from six unknown characters, as programs do.
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    char text[7];
    unsigned flags = 0, level = 0, files = 0;
    klee_make_symbolic(text, sizeof text, "text");
    text[6] = 0;
    for (const char *at = text; *at; at++) {
        if (*at != '-') { files++; continue; }
        switch (*++at) {
        case 'v': flags |= 1; break;
        case 'q': flags |= 2; break;
        case 'f': flags |= 4; break;
        case 'l':
            if (at[1] < '0' || at[1] > '9') return 2;
            level = *++at - '0';
            break;
        default: return 2;
        }
        if ((flags & 3) == 3) return 3;
    }
    return flags * 10 + level + files;
}
