// The exports of libdispatch that we use, declared here because <dispatch/dispatch.h> is not available to a C target.
// The declarations are weak, because a host may link no libdispatch, or one without some of these symbols.
#ifndef MAINSTAY_DISPATCH_SYMBOLS_H
#define MAINSTAY_DISPATCH_SYMBOLS_H

#include <stdint.h>

#define MS_WEAK __attribute__((weak))

struct dispatch_queue_s;

/// The layout of a queue that libdispatch exports for debuggers: each offset is followed by its size.
typedef struct {
  uint16_t version;
  uint16_t label, label_size;
  uint16_t flags, flags_size;
  uint16_t serial, serial_size;
  uint16_t width, width_size;
  uint16_t running, running_size;
  uint16_t suspended, suspended_size;
  uint16_t target, target_size;
  uint16_t priority, priority_size;
} ms_dispatch_offsets;

extern struct dispatch_queue_s _dispatch_main_q MS_WEAK;
extern struct dispatch_queue_s _dispatch_queue_attr_concurrent MS_WEAK;
extern const ms_dispatch_offsets dispatch_queue_offsets MS_WEAK;

extern void *dispatch_get_current_queue(void) MS_WEAK;
extern const char *dispatch_queue_get_label(void *queue) MS_WEAK;
extern void *dispatch_queue_create(const char *label, void *attributes) MS_WEAK;
extern void dispatch_set_target_queue(void *queue, void *target) MS_WEAK;
extern void dispatch_release(void *object) MS_WEAK;
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *)) MS_WEAK;
extern void dispatch_sync_f(void *queue, void *context, void (*work)(void *)) MS_WEAK;
extern void dispatch_async_and_wait_f(void *queue, void *context, void (*work)(void *)) MS_WEAK;
extern void dispatch_assert_queue(void *queue) MS_WEAK;
extern void dispatch_assert_queue_not(void *queue) MS_WEAK;

#endif
