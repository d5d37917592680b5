// Several alarms at one place.
int klee_int(const char *name);
int main(void) {
    int k = klee_int("k"), *p = k ? &k : 0;
    return 10 / (k - 1) + *p; //~ alarm core.DivideZero: confirmed //~ alarm core.NullDereference: confirmed //~ alarm core.BitwiseShift: open
}
