// headers: musl
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>

/* The numbers of FTW_F and its like are others in glibc's headers. */
static int files, directories;

static int visit(const char *name, const struct stat *status, int type, struct FTW *state) {
    (void)name;
    (void)status;
    (void)state;
    files += type == FTW_F;
    directories += type == FTW_D;
    return 0;
}

int main(void) {
    mkdir("t", 0755);
    mkdir("t/u", 0755);
    fclose(fopen("t/one.c", "w"));
    fclose(fopen("t/two.c", "w"));
    fclose(fopen("t/u/three.h", "w"));
    printf("%d\n", nftw("t", visit, 8, FTW_PHYS));
    printf("%d %d\n", files, directories);
    glob_t found;
    printf("%d\n", glob("t/*.c", 0, NULL, &found));
    for (size_t i = 0; i < found.gl_pathc; i++)
        printf("%s\n", found.gl_pathv[i]);
    globfree(&found);
    printf("%d %d\n", fnmatch("*.[ch]", "a.c", 0), fnmatch("*.[ch]", "a.d", 0) == FNM_NOMATCH);
    return 0;
}
