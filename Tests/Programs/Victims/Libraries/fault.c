// A library that a victim opens after the handler was installed.

static volatile int zero, sink;

void fault_in_library(void) { sink = *(volatile int *)(unsigned long)zero; }
