// A list of any length, with an error behind the loop that builds it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct node { int data; struct node *next; };
int main(void) {
    struct node *head = 0;
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        if (!new) return 0;
        new->data = count++;
        new->next = head;
        head = new;
    }
    int length = 0;
    for (struct node *at = head; at; at = at->next) length++;
    if (length == 5 && head->data == 4) reach_error();
    return 0;
}
