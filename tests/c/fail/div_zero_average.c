// Tests the average of an input whose count of valid elements may be zero.
// paths: 7
#include <klee/klee.h>

int main(void) {
  unsigned char v[3];
  klee_make_symbolic(v, sizeof v, "v");
  int sum = 0, n = 0;
  for (int i = 0; i < 3; i++) {
    if (v[i] > 10) {
      sum += v[i];
      n++;
    }
  }
  int avg = sum / n; //~ div: division by zero
  klee_assert(avg > 10);
  return 0;
}
