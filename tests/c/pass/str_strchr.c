// Tests strchr and strrchr on a symbolic buffer.
#include <assert.h>
#include <klee/klee.h>
#include <string.h>

int main(void) {
  char s[4];
  klee_make_symbolic(s, sizeof s, "s");
  s[3] = 0;
  char *first = strchr(s, '=');
  if (first) {
    assert(*first == '=');
    assert(first - s < 3);
    assert(strrchr(s, '=') >= first);
  }
  const char *path = "a/b/c";
  assert(strchr(path, '/') == path + 1);
  assert(strrchr(path, '/') == path + 3);
  assert(strchr(path, 'z') == NULL);
  assert(strchr(path, 0) == path + 5);
  return 0;
}
