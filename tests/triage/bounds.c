int klee_range(int from, int to, const char *name);
static int table[10];
static int get(int i) {
    return table[i]; //~ alarm alpha.security.ArrayBoundV2: confirmed
}
static int get_checked(int i) {
    return i < 10 ? table[i] : 0; //~ alarm alpha.security.ArrayBoundV2: bounded
}
int main(void) {
    int i = klee_range(0, 12, "i");
    return get_checked(i) + (i < 11 ? get(i) : 0);
}
