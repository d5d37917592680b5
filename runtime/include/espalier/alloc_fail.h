/* For --alloc-fail: included before every source, so that its allocations may fail. Which one fails is an input. */

#ifndef ESPALIER_ALLOC_FAIL_H
#define ESPALIER_ALLOC_FAIL_H

#ifdef ESPALIER_ALLOC_SITES

/* At most one on a path, at places that are not known here (runtime/alloc/sites.c). */
#define malloc __espalier_site_malloc
#define calloc __espalier_site_calloc
#define realloc __espalier_site_realloc
#define strdup __espalier_site_strdup
#define strndup __espalier_site_strndup

#else

/* How many may still fail. Every source has it, and it is one. */
__attribute__((weak)) unsigned __espalier_alloc_failures = ESPALIER_ALLOC_FAIL;

#define malloc __espalier_failing_malloc
#define calloc __espalier_failing_calloc
#define realloc __espalier_failing_realloc
#define strdup __espalier_failing_strdup
#define strndup __espalier_failing_strndup

#endif

#endif
