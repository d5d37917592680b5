#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    printf("%s %d\n", setlocale(LC_ALL, ""), (int)MB_CUR_MAX);
    wchar_t text[32];
    printf("%zu\n", mbstowcs(text, "wide text", 32));
    printf("%zu %d\n", wcslen(text), wcscmp(text, L"wide text"));
    for (wchar_t *c = text; *c; c++)
        *c = towupper(*c);
    char narrow[32];
    printf("%zu %s\n", wcstombs(narrow, text, sizeof narrow), narrow);
    printf("%ls|%5lc|\n", text, L'x');
    swprintf(text, 32, L"%d %ls", 5, L"five");
    printf("%ls\n", text);
    printf("%ld\n", wcstol(L"123abc", NULL, 10));
    printf("%d %d\n", iswalpha(L'a') != 0, iswdigit(L'a') != 0);
    wchar_t *found = wcschr(text, L'f');
    printf("%ls\n", found);
    mbstate_t state = {0};
    wchar_t wide;
    printf("%zu\n", mbrtowc(&wide, "q", 1, &state));
    return 0;
}
