#ifndef CJSON_H
#define CJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parsed JSON document; owns the memory of its values.
typedef struct ms_json_document ms_json_document;

/// A value of a document; valid until the document is freed.
typedef struct {
  const void *document;
  size_t place;
} ms_json_value;

typedef enum {
  MS_JSON_NULL,
  MS_JSON_FALSE,
  MS_JSON_TRUE,
  MS_JSON_INTEGER,
  MS_JSON_UNSIGNED,
  MS_JSON_DOUBLE,
  MS_JSON_STRING,
  MS_JSON_ARRAY,
  MS_JSON_OBJECT,
} ms_json_kind;

/// Parses `size` bytes as one document; NULL if they are not JSON.
ms_json_document *ms_json_parse(const char *bytes, size_t size);
void ms_json_free(ms_json_document *document);

ms_json_value ms_json_root(const ms_json_document *document);
ms_json_kind ms_json_kind_of(ms_json_value value);
int64_t ms_json_integer(ms_json_value value);
double ms_json_double(ms_json_value value);

/// The bytes of a string, not NUL-terminated.
const char *ms_json_string(ms_json_value value, size_t *size);

/// The value under `key` of an object; false if none exists.
bool ms_json_member(ms_json_value object, const char *key, size_t size, ms_json_value *found);

/// Calls `visit` for each value of an array or an object until `visit` returns false. The values of
/// an array have no key.
void ms_json_each(
    ms_json_value value, void *context,
    bool (*visit)(void *context, const char *key, size_t size, ms_json_value value));

#ifdef __cplusplus
}
#endif

#endif
