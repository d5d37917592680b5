/* Numbers are always rounded to the nearest: musl's own function would say that it changed this. */

#include <fenv.h>

int fesetround(int mode) {
    return mode == FE_TONEAREST ? 0 : -1;
}
