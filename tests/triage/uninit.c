int klee_int(const char *name);
int main(void) {
    int k = klee_int("k"), x, y;
    if (k > 3)
        x = 1;
    if (k > 2)
        y = 1;
    if (k == 3 && x) //~ alarm core.uninitialized.Branch: confirmed
        return 1;
    if (k == 4 && y) //~ alarm core.uninitialized.Branch: bounded
        return 2;
    return 0;
}
