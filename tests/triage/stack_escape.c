static int *kept;
static void keep(void) {
    int local = 3;
    kept = &local; //~ alarm core.StackAddressEscape: not-confirmable
}
int main(void) {
    keep();
    return *kept; //~ alarm -Wanalyzer-use-of-pointer-in-stale-stack-frame: confirmed
}
