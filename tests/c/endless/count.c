// A counter in a loop that goes on for as long as the input says so, and is read behind it.
extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
int main(void) {
    int open = 0, words = 0;
    for (;;) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c == '(') open++;
        else if (c == ')') open--;
        else if (c == ' ') words++;
        else if (c == 0) break;
    }
    if (open == 2 && words == 1) reach_error();
    return 0;
}
