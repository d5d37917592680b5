/* No files are given with the program unless the front end says so. */

#include "model.h"

__attribute__((weak)) const struct __espalier_mount __espalier_mounts[1] = {{0, 0, 0, 0}};
__attribute__((weak)) const unsigned long __espalier_mount_count = 0;
