// options: --sym-arg 3
// paths: 5
#include <stdio.h>
#include <string.h>

/* strcmp ends at the first difference. Against "abc" that is at the first, second or third character, or nowhere.
 * Against "ab", what differs at the third is "ab" itself or is longer; the others differ where they did. */
int main(int argc, char **argv) {
    (void)argc;
    if (!strcmp(argv[1], "abc"))
        return 1;
    if (!strcmp(argv[1], "ab"))
        puts("ab");
    return 0;
}
