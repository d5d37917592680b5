/* errno under the name by which the engine finds it, instead of in the thread's block: there is one thread. */

#include <errno.h>
#include "libc.h"

int __espalier_errno;

int *__errno_location(void) {
    return &__espalier_errno;
}

weak_alias(__errno_location, ___errno_location);
