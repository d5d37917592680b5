int klee_range(int from, int to, const char *name);
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const table[3])(void) = {one, two, 0};
int main(void) {
    int i = klee_range(0, 3, "i");
    if (i < 2)
        return table[i](); //~ alarm core.NullDereference: refuted
    return table[i](); //~ alarm core.NullDereference: confirmed
}
