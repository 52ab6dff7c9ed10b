// Reads brief crumbs.
#ifndef MAINSTAY_BRIEF_H
#define MAINSTAY_BRIEF_H

#include "ms_log_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The complete records that a brief crumb consists of.
typedef struct {
  const uint8_t *crumb;          ///< at least an `ms_brief_record`
  const uint8_t *texts;          ///< its template; NULL if that is damaged
  const uint8_t *context;        ///< the brief crumb with the context's values; NULL if there is none, or it is damaged
  const uint8_t *context_texts;  ///< the template of `context`
} ms_brief_parts;

enum {
  /// The maximum size of an expanded crumb.
  MS_EXPANDED_LIMIT = sizeof(ms_crumb_record) + 8 + MS_CATEGORY_LIMIT + MS_MESSAGE_LIMIT + MS_DATA_LIMIT,
};

/// Writes the crumb as an `ms_crumb_record` with its texts, without a checksum, into `out`, which has MS_EXPANDED_LIMIT
/// bytes, and returns the size. If the records contradict each other, the message is that the text is damaged. Signal
/// safety: safe.
uint32_t ms_brief_expand(const ms_brief_parts *parts, uint8_t *out);

// Values of the byte that else is the size of a string.
enum {
  MS_BRIEF_HEX = 254,   ///< the text is hexadecimal: the number of bytes follows, then bytes of two digits each
  MS_BRIEF_LONG = 255,  ///< a size of two bytes follows
};

#ifdef __cplusplus
}
#endif
#endif
