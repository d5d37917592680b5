unsigned klee_choose(unsigned long n);
int main(void) {
    unsigned by = klee_choose(40);
    unsigned masked = 1u << (by & 31); //~ alarm core.BitwiseShift: refuted
    return (masked + (1u << by)) != 0; //~ alarm core.BitwiseShift: confirmed
}
