// A C interface to simdjson's DOM parser, which selects the CPU's vector instructions at run time.

#include "ms_json.h"

#include <cstring>
#include <new>
#include <simdjson.h>

using simdjson::dom::element;

struct ms_json_document {
  simdjson::dom::parser parser;
  element root;
};

static_assert(sizeof(element) == sizeof(ms_json_value), "a value is passed on as its bytes");
static_assert(std::is_trivially_copyable<element>::value, "a value is passed on as its bytes");

static element unwrap(ms_json_value value) {
  element result;
  std::memcpy(static_cast<void *>(&result), &value, sizeof result);
  return result;
}

static ms_json_value wrap(element value) {
  ms_json_value result;
  std::memcpy(&result, static_cast<const void *>(&value), sizeof result);
  return result;
}

ms_json_document *ms_json_parse(const char *bytes, size_t size) {
  auto *document = new (std::nothrow) ms_json_document;
  if (!document) return nullptr;
  if (document->parser.parse(bytes, size).get(document->root) == simdjson::SUCCESS) return document;
  delete document;
  return nullptr;
}

void ms_json_free(ms_json_document *document) { delete document; }

ms_json_value ms_json_root(const ms_json_document *document) { return wrap(document->root); }

ms_json_kind ms_json_kind_of(ms_json_value value) {
  element read = unwrap(value);
  switch (read.type()) {
    case simdjson::dom::element_type::ARRAY: return MS_JSON_ARRAY;
    case simdjson::dom::element_type::OBJECT: return MS_JSON_OBJECT;
    case simdjson::dom::element_type::INT64: return MS_JSON_INTEGER;
    case simdjson::dom::element_type::UINT64: return MS_JSON_UNSIGNED;
    case simdjson::dom::element_type::DOUBLE: return MS_JSON_DOUBLE;
    case simdjson::dom::element_type::STRING: return MS_JSON_STRING;
    case simdjson::dom::element_type::BOOL: {
      bool isTrue = false;
      return read.get(isTrue) == simdjson::SUCCESS && isTrue ? MS_JSON_TRUE : MS_JSON_FALSE;
    }
    default: return MS_JSON_NULL;
  }
}

int64_t ms_json_integer(ms_json_value value) {
  element read = unwrap(value);
  int64_t number = 0;
  if (read.get(number) == simdjson::SUCCESS) return number;
  uint64_t large = 0;
  return read.get(large) == simdjson::SUCCESS ? static_cast<int64_t>(large) : 0;
}

double ms_json_double(ms_json_value value) {
  double number = 0;
  return unwrap(value).get(number) == simdjson::SUCCESS ? number : 0;
}

const char *ms_json_string(ms_json_value value, size_t *size) {
  std::string_view text;
  if (unwrap(value).get(text) != simdjson::SUCCESS) text = std::string_view("", 0);
  *size = text.size();
  return text.data();
}

bool ms_json_member(ms_json_value object, const char *key, size_t size, ms_json_value *found) {
  element member;
  simdjson::dom::object members;
  if (unwrap(object).get(members) != simdjson::SUCCESS) return false;
  if (members.at_key(std::string_view(key, size)).get(member) != simdjson::SUCCESS) return false;
  *found = wrap(member);
  return true;
}

void ms_json_each(
    ms_json_value value, void *context,
    bool (*visit)(void *context, const char *key, size_t size, ms_json_value value)) {
  simdjson::dom::array items;
  simdjson::dom::object members;
  element read = unwrap(value);
  if (read.get(items) == simdjson::SUCCESS) {
    for (element item : items) {
      if (!visit(context, "", 0, wrap(item))) return;
    }
  } else if (read.get(members) == simdjson::SUCCESS) {
    for (auto member : members) {
      if (!visit(context, member.key.data(), member.key.size(), wrap(member.value))) return;
    }
  }
}
