// Tests conversion of integers to floating point, with rounding to nearest even.
// paths: 1
#include <assert.h>
#include <stdint.h>

int main(void) {
  int32_t i = 16777217;
  assert((float)i == 16777216.0f);
  assert((float)(i + 2) == 16777220.0f);
  assert((double)i == 16777217.0);
  uint64_t u = ~0ull;
  assert((double)u == 18446744073709551616.0);
  int64_t s = -9007199254740993ll;
  assert((double)s == -9007199254740992.0);
  uint8_t b = 200;
  assert((float)b == 200.0f);
  int8_t c = -56;
  assert((double)c == -56.0);
  return 0;
}
