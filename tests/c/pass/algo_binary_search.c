// Tests binary search of a symbolic key in a sorted table.
// paths: 14
#include <assert.h>
#include <klee/klee.h>

static const int keys[7] = {2, 3, 5, 7, 11, 13, 17};

int main(void) {
  int key = klee_int("key");
  int lo = 0, hi = 6, at = -1;
  while (lo <= hi && at < 0) {
    int mid = (lo + hi) / 2;
    if (keys[mid] == key)
      at = mid;
    else if (keys[mid] < key)
      lo = mid + 1;
    else
      hi = mid - 1;
  }
  if (at >= 0)
    assert(keys[at] == key);
  return 0;
}
