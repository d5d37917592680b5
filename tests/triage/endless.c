// The program never ends, so that only its functions can refute alarms, whatever they are given.
int klee_int(const char *name);
struct item {
    int count;
    int *last;
    struct item *next;
};
static int checked(struct item *item) {
    if (!item || !item->last)
        return 0;
    return *item->last; //~ alarm core.NullDereference: bounded
}
static int unchecked(struct item *item) {
    return item->next->count; //~ alarm core.NullDereference: confirmed
}
static int average(struct item *item, int sum) {
    if (item->count <= 0)
        return 0;
    return sum / item->count; //~ alarm core.DivideZero: refuted
}
static int average_of_next(struct item *item, int sum) {
    int *count = &item->next->count, before = *count;
    item->count = klee_int("count");
    return before ? sum / *count : 0; //~ alarm core.DivideZero: confirmed
}
int main(void) {
    struct item other = {3, 0, 0}, item = {0, 0, &other};
    unsigned long sum = 0;
    for (;;) {
        int value = klee_int("value");
        sum = 3 * sum + value;
        item.count = value;
        item.last = value & 1 ? &value : 0;
        item.next = value == 77 ? 0 : value == 78 ? &item : &other;
        sum += checked(&item) + average(&item, value) + unchecked(&item) + average_of_next(&item, value);
    }
}
