int klee_int(const char *name);
int main(void) {
    unsigned k = (unsigned)klee_int("k"), sum = 0;
    for (unsigned i = 0; i != 40; i++)
        sum += k & 3;
    if (sum > 120)
        return 10 / (int)(sum - sum); //~ alarm core.DivideZero: refuted
    return 0;
}
