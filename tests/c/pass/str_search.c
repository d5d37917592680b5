// Tests strstr, strspn, strcspn, strpbrk, strtok and strdup on concrete strings.
// paths: 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *s = "one, two, three";
  assert(strstr(s, "two") == s + 5);
  assert(strstr(s, "four") == NULL);
  assert(strspn(s, "eno") == 3);
  assert(strcspn(s, ",") == 3);
  assert(strpbrk(s, "wt") == s + 5);
  char *copy = strdup(s);
  int words = 0;
  for (char *t = strtok(copy, ", "); t; t = strtok(NULL, ", "))
    words++;
  assert(words == 3);
  free(copy);
  return 0;
}
