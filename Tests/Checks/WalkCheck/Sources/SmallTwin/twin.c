// The twins differ in this number alone: how many bytes the frame of `ms_twin` takes.
#define FRAME "24"
#include "../twin.inc"
