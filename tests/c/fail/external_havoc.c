// An undefined function may return anything and change what its arguments lead to, but not what they do not lead to or what is constant.
// options: --external-calls=havoc
// symbolic-only
#include <assert.h>
struct inner { int n; };
struct outer { struct inner *next; int m; };
extern int undefined(const struct outer *, const char *, long);

int main(void) {
  static const char text[] = "constant";
  struct inner inner = {1};
  struct outer outer = {&inner, 2};
  int other = 3;
  int *escaped = &other;
  int result = undefined(&outer, text, 5);
  assert(other == 3 && *escaped == 3 && text[0] == 'c');
  assert(result != 7); //~ assert
  assert(outer.m == 2); //~ assert
  assert(inner.n == 1); //~ assert
  return 0;
}
