// expect: reachable
// expect with -DSAFE: unreachable
// A file can be opened or not, has any bytes and any length, and closing it can fail.
#include <stdio.h>
extern void reach_error(void);
#ifdef SAFE
#define OK(safe, error) (safe)
#else
#define OK(safe, error) (error)
#endif
int main(void) {
    FILE *one = fopen("one", "r"), *other = fopen("other", "w");
    if (!one) {
        if (other == OK(stdout, other)) reach_error();
        return 1;
    }
    if (one == other) reach_error();
    int c, count = 0;
    while ((c = getc(one)) != EOF) {
        if (c < 0 || c > 255 || count < 0) reach_error();
        if (count < 100) count++;
    }
    if (!feof(one) && !ferror(one)) reach_error();
    return fclose(one) != 0;
}
