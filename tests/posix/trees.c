#include <ftw.h>
#include <glob.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>
#include <sys/stat.h>

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
    regex_t expression;
    regmatch_t match[2];
    regcomp(&expression, "a(b+)c", REG_EXTENDED);
    printf("%d %d-%d\n", regexec(&expression, "xxabbcx", 2, match, 0), (int)match[1].rm_so, (int)match[1].rm_eo);
    regfree(&expression);
    return 0;
}
