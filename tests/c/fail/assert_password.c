// Tests guessing a password character by character: one completed path per wrong position.
// paths: 5
#include <klee/klee.h>

static int check(const char *s) {
  const char *want = "key!";
  for (int i = 0; want[i]; i++)
    if (s[i] != want[i])
      return 0;
  return s[4] == 0;
}

int main(void) {
  char in[5];
  klee_make_symbolic(in, sizeof in, "in");
  int ok = check(in);
  klee_assert(!ok); //~ assert: assertion failed
  return 0;
}
