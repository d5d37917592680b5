int klee_int(const char *name);
int main(void) {
    int k = klee_int("k"), x = 1;
    if (k > 5 && k < 3)
        x = 2; //~ alarm deadcode.DeadStores: refuted
    if (k > 5)
        x = 3; //~ alarm deadcode.DeadStores: not-confirmable
    if (k > 6)
        x = 4; //~ alarm some.unknown.rule: open
    return x;
}
