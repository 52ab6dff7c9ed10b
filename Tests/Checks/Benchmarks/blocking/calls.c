// What calls cost that do not wait: `calls` prints nanoseconds for each call of mutex, pipe and semaphore.

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { rounds = 2000000, reads = 200000, page = 4096 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  double start = now();
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  double locked = now() - start;

  int ends[2];
  static char bytes[page];
  if (pipe(ends) != 0) return 1;
  double reading = 0;
  for (int i = 0; i < reads; i++) {
    if (write(ends[1], bytes, page) != page) return 1;
    start = now();
    if (read(ends[0], bytes, page) != page) return 1;
    reading += now() - start;
  }

  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  start = now();
  for (int i = 0; i < rounds; i++) {
    sem_post(&semaphore);
    sem_wait(&semaphore);
  }
  double waited = now() - start;
  printf("%.2f %.2f %.2f\n", locked / rounds, reading / reads, waited / rounds);
  return 0;
}
