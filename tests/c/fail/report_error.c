// Tests klee_report_error: its file, line and message are used.
// paths: 1
#include <klee/klee.h>

int main(void) {
  int temperature = klee_range(-50, 150, "temperature");
  if (temperature > 120)
    klee_report_error(__FILE__, __LINE__, "too hot", "heat.err"); //~ report_error: too hot
  return 0;
}
