// Tests string literals: terminator, embedded zeros, wide strings, array initialisation.
// paths: 1
#include <assert.h>
#include <stddef.h>

int main(void) {
  const char *s = "abc";
  assert(s[3] == 0);
  char a[] = "x\0y";
  assert(sizeof a == 4);
  assert(a[2] == 'y');
  a[0] = 'q';
  assert(a[0] == 'q');
  char full[3] = {'1', '2', '3'};
  assert(full[2] == '3');
  const wchar_t *w = L"hi";
  assert(w[1] == L'i' && w[2] == 0);
  assert("joined" " text"[7] == 't');
  return 0;
}
