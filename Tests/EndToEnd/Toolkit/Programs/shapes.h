// Functions of every shape that a call can have.
#include <immintrin.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  long a, b;
} pair;
typedef struct {
  double a, b;
} doubles;
typedef struct {
  long a;
  double b;
} mixed;
typedef struct {
  long words[9];
} large;

long shape_none(void);
long shape_integers(long, int, short, signed char, unsigned long, bool, long, long, int);
double shape_doubles(double, double, double, double, double, double, double, double, double, float);
long double shape_long_double(long double, int, long double);
__int128 shape_wide(__int128, __int128);
pair shape_pair(long);
doubles shape_of_doubles(double);
mixed shape_mixed(mixed);
large shape_large(large, long);
double _Complex shape_complex(double _Complex);
__m128 shape_vector(__m128, __m128, __m128, __m128, __m128, __m128, __m128, __m128);
__m256 shape_wide_vector(__m256, __m256, __m256, __m256, __m256, __m256, __m256, __m256);
__m512 shape_widest_vector(__m512, __m512, __m512, __m512, __m512, __m512, __m512, __m512);
long shape_variadic(int, ...);
double shape_variadic_doubles(int, ...);
_Noreturn void shape_no_return(jmp_buf, int);
int shape_errno(void);
long shape_calls_back(long (*)(long), long);
