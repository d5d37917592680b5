// Two conditions that say the same.
int klee_int(const char *name);
int main(void) {
    int k = klee_int("k"), x = 0, *p = 0;
    if (k & 1)
        p = &x;
    for (int i = 0; i < 3; i++)
        x += i;
    if (k % 2 != 0)
        *p = 7; //~ alarm -Wanalyzer-null-dereference: refuted
    if (k == 8)
        *p = 8; //~ alarm -Wanalyzer-null-dereference: confirmed
    return x;
}
