// A tree that grows at any place, and has the wrong shape in the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
struct node { struct node *left, *right; };
int main(void) {
    struct node *root = calloc(1, sizeof *root);
    if (!root) return 0;
    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left && at->right) at = __VERIFIER_nondet_int() ? at->left : at->right;
        struct node *new = calloc(1, sizeof *new);
        if (!new) return 0;
        if (!at->left && __VERIFIER_nondet_int()) at->left = new; else at->right = new;
    }
    if (root->left && root->right && root->left->right) reach_error();
    return 0;
}
