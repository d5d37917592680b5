// A tokenizer with keywords and numbers, on four unknown characters; each kind of token is counted.
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
enum { NAME, NUMBER, KEYWORD, STRING, OTHER, KINDS };
static int counts[KINDS];
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
int main(void) {
    char text[5];
    klee_make_symbolic(text, sizeof text, "text");
    text[4] = 0;
    for (int i = 0; text[i];) {
        int from = i;
        if (text[i] == ' ') { i++; continue; }
        if (is_letter(text[i])) {
            while (is_letter(text[i]) || is_digit(text[i])) i++;
            counts[i - from == 2 && !memcmp(text + from, "if", 2) ? KEYWORD : NAME]++;
        } else if (is_digit(text[i])) {
            while (is_digit(text[i])) i++;
            counts[NUMBER]++;
        } else if (text[i] == '"') {
            do i++; while (text[i] && text[i] != '"');
            if (text[i]) i++;
            counts[STRING]++;
        } else {
            i++;
            counts[OTHER]++;
        }
    }
    return counts[NAME] + 5 * counts[NUMBER] + 25 * counts[KEYWORD];
}
