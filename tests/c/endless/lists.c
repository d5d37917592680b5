// Lists in a list: one loop without an end in another one, and values that have to be right twice.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct item { int value; struct item *next; };
struct list { struct item *items; struct list *next; };
int main(void) {
    struct list *lists = 0;
    while (__VERIFIER_nondet_int()) {
        struct list *list = malloc(sizeof *list);
        if (!list) return 0;
        *list = (struct list){0, lists};
        lists = list;
        while (__VERIFIER_nondet_int()) {
            struct item *item = malloc(sizeof *item);
            if (!item) return 0;
            *item = (struct item){__VERIFIER_nondet_int(), list->items};
            list->items = item;
        }
    }
    int right = 0;
    for (struct list *list = lists; list; list = list->next)
        if (list->items && list->items->value == 77) right++;
    if (right == 2) reach_error();
    return 0;
}
