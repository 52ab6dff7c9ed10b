#include "shapes.h"

#include <errno.h>
#include <stdarg.h>

long shape_none(void) { return 41; }

long shape_integers(long a, int b, short c, signed char d, unsigned long e, bool f, long g, long h, int i) {
  return a + 2 * b + 3 * c + 4 * d + 5 * (long)e + 6 * f + 7 * g + 8 * h + 9 * i;
}

double shape_doubles(double a, double b, double c, double d, double e, double f, double g, double h, double i,
                     float j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * (double)j;
}

long double shape_long_double(long double a, int b, long double c) { return a * b + c; }
__int128 shape_wide(__int128 a, __int128 b) { return a * 3 + b; }
pair shape_pair(long a) { return (pair){a, -a}; }
doubles shape_of_doubles(double a) { return (doubles){a, -a}; }
mixed shape_mixed(mixed a) { return (mixed){a.a + 1, a.b / 2}; }

large shape_large(large a, long b) {
  for (int i = 0; i < 9; i++) a.words[i] += b * i;
  return a;
}

double _Complex shape_complex(double _Complex a) { return a * a; }

__m128 shape_vector(__m128 a, __m128 b, __m128 c, __m128 d, __m128 e, __m128 f, __m128 g, __m128 h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

__attribute__((target("avx"))) __m256 shape_wide_vector(__m256 a, __m256 b, __m256 c, __m256 d, __m256 e, __m256 f,
                                                       __m256 g, __m256 h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

__attribute__((target("avx512f"))) __m512 shape_widest_vector(__m512 a, __m512 b, __m512 c, __m512 d, __m512 e,
                                                             __m512 f, __m512 g, __m512 h) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

long shape_variadic(int count, ...) {
  va_list rest;
  va_start(rest, count);
  long sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(rest, long) * (i + 1);
  va_end(rest);
  return sum;
}

double shape_variadic_doubles(int count, ...) {
  va_list rest;
  va_start(rest, count);
  double sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(rest, double) * (i + 1);
  va_end(rest);
  return sum;
}

_Noreturn void shape_no_return(jmp_buf back, int value) { longjmp(back, value); }
int shape_errno(void) { return errno; }
long shape_calls_back(long (*back)(long), long a) { return back(a) + 1; }
