/* qsort and bsearch. The sort is a stable merge sort that splits as glibc's does: it calls the comparison in the same
 * order and leaves equal elements as a native run leaves them. */

#include "libc.h"

typedef int (*compare_function)(const void *, const void *, void *);

struct sort {
    size_t size;
    compare_function compare;
    void *context;
    char *buffer;
};

static void merge_sort(const struct sort *sort, char *base, size_t n) {
    if (n < 2)
        return;
    size_t size = sort->size, left = n / 2, right = n - left;
    char *a = base, *b = base + left * size, *out = sort->buffer;
    merge_sort(sort, a, left);
    merge_sort(sort, b, right);

    while (left && right) {
        if (sort->compare(a, b, sort->context) <= 0) {
            memcpy(out, a, size);
            a += size;
            left--;
        } else {
            memcpy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    if (left)
        memcpy(out, a, left * size);
    if (n - right)
        memcpy(base, sort->buffer, (n - right) * size);
}

/* Without memory for the merge sort. */
static void insertion_sort(const struct sort *sort, char *base, size_t n) {
    size_t size = sort->size;
    for (size_t i = 1; i < n; i++) {
        for (size_t j = i; j; j--) {
            char *b = base + j * size, *a = b - size;
            if (sort->compare(a, b, sort->context) <= 0)
                break;
            for (size_t k = 0; k < size; k++) {
                char byte = a[k];
                a[k] = b[k];
                b[k] = byte;
            }
        }
    }
}

static void sort_elements(void *base, size_t n, size_t size, compare_function compare, void *context) {
    char small[1024];
    struct sort sort = {size, compare, context, small};
    if (n < 2 || !size)
        return;
    if (n <= sizeof small / size) {
        merge_sort(&sort, base, n);
        return;
    }
    sort.buffer = malloc(n * size);
    if (sort.buffer) {
        merge_sort(&sort, base, n);
        free(sort.buffer);
    } else {
        insertion_sort(&sort, base, n);
    }
}

typedef int (*plain_compare)(const void *, const void *);

static int call_plain(const void *a, const void *b, void *context) {
    return (*(plain_compare *)context)(a, b);
}

API void qsort(void *base, size_t n, size_t size, plain_compare compare) {
    sort_elements(base, n, size, call_plain, &compare);
}

API void qsort_r(void *base, size_t n, size_t size, compare_function compare, void *context) {
    sort_elements(base, n, size, compare, context);
}

API void *bsearch(const void *key, const void *base, size_t n, size_t size, plain_compare compare) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
