// Tests a state machine over a symbolic word: recognises words of the form a*b.
// paths: 16
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char w[4];
  klee_make_symbolic(w, sizeof w, "w");
  w[3] = 0;
  enum { START, END, BAD } state = START;
  int i;
  for (i = 0; w[i]; i++) {
    if (state == START && w[i] == 'a')
      state = START;
    else if (state == START && w[i] == 'b')
      state = END;
    else
      state = BAD;
  }
  if (state == END) {
    assert(i >= 1);
    assert(w[i - 1] == 'b');
    assert(i < 2 || w[0] == 'a');
  }
  return 0;
}
