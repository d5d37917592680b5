// Nobody knows what the function does: nothing is refuted.
int klee_int(const char *name);
int elsewhere(int *x);
int main(void) {
    int k = klee_int("k"), zero = 0;
    elsewhere(&zero);
    if (k == 4)
        return 10 / zero; //~ alarm core.DivideZero: open
    return 0;
}
