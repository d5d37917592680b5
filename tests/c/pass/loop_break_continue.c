// Tests break and continue: the first marker byte in a symbolic buffer ends the scan.
// paths: 5
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char buf[4];
  klee_make_symbolic(buf, sizeof buf, "buf");
  int at = -1, seen = 0;
  for (int i = 0; i < 4; i++) {
    if (buf[i] != '!') {
      seen++;
      continue;
    }
    at = i;
    break;
  }
  assert(at == (seen == 4 ? -1 : seen));
  return 0;
}
