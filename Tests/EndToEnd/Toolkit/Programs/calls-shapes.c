// Calls a function of every shape, on the thread that the library belongs to and on another, and says what came back
// wrong. Nothing is printed where all is right.
#define _GNU_SOURCE
#include "shapes.h"

#include <complex.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int wrong;

static void check(bool holds, const char *what) {
  if (holds) return;
  printf("%s came back wrong\n", what);
  wrong++;
}

static long back(long a) { return shape_integers(a, 0, 0, 0, 0, false, 0, 0, 0); }

static void call_vectors(void) {
  __m128 v = _mm_set_ps(4, 3, 2, 1), sum = shape_vector(v, v, v, v, v, v, v, v);
  check(sum[0] == 36 && sum[3] == 144, "a vector");
}

__attribute__((target("avx"))) static void call_wide_vectors(void) {
  __m256 v = _mm256_set_ps(8, 7, 6, 5, 4, 3, 2, 1), sum = shape_wide_vector(v, v, v, v, v, v, v, v);
  check(sum[0] == 36 && sum[7] == 288, "a vector of 256 bits");
}

__attribute__((target("avx512f"))) static void call_widest_vectors(void) {
  __m512 v = _mm512_set_ps(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  __m512 sum = shape_widest_vector(v, v, v, v, v, v, v, v);
  check(sum[0] == 36 && sum[15] == 576, "a vector of 512 bits");
}

static void *call_all(void *unused) {
  (void)unused;
  check(shape_none() == 41, "no argument");
  check(shape_integers(1, 2, 3, -4, 5, true, 7, 8, 9) == 1 + 4 + 9 - 16 + 25 + 6 + 49 + 64 + 81, "integers");
  check(shape_doubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385, "doubles");
  check(shape_long_double(2.5L, 2, 0.5L) == 5.5L, "a long double");
  check(shape_wide((__int128)1 << 100, 7) == ((__int128)3 << 100) + 7, "128 bits");
  check(shape_pair(5).a == 5 && shape_pair(5).b == -5, "two words");
  check(shape_of_doubles(5).a == 5 && shape_of_doubles(5).b == -5, "two doubles");
  mixed both = shape_mixed((mixed){5, 5});
  check(both.a == 6 && both.b == 2.5, "a word and a double");
  large many = shape_large((large){{0, 1, 2, 3, 4, 5, 6, 7, 8}}, 10);
  check(many.words[0] == 0 && many.words[8] == 88, "a large structure");
  check(shape_complex(1 + 2 * I) == -3 + 4 * I, "a complex number");
  call_vectors();
  if (__builtin_cpu_supports("avx")) call_wide_vectors();
  if (__builtin_cpu_supports("avx512f")) call_widest_vectors();
  check(shape_variadic(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L) == 204, "words without number");
  check(shape_variadic_doubles(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 385, "doubles without number");
  jmp_buf here;
  int value = setjmp(here);
  if (value == 0) shape_no_return(here, 23);
  check(value == 23, "a function that does not return");
  errno = 99;
  check(shape_errno() == 99, "errno");
  check(shape_calls_back(back, 12) == 13, "a function that calls back");
  long (*pointer)(void) = shape_none;
  check(pointer() == 41, "a function by its address");
  long (*looked)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, "shape_none");
  check(looked && looked() == 41, "a function that was looked up");
  check(dlsym(RTLD_DEFAULT, "shape_of_nobody") == NULL && dlerror() != NULL, "a function that nobody has");
  check(dlsym(RTLD_NEXT, "shape_none") != NULL, "the next function");
  return NULL;
}

int main(void) {
  pthread_t thread;
  call_all(NULL);
  pthread_create(&thread, NULL, call_all, NULL);
  pthread_join(thread, NULL);
  call_all(NULL);
  return wrong ? 1 : 7;
}
