// Reads two fields of each line and counts by them: the least that any analysis of JSON lines does.
//
// scan-json LINES

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include <simdjson.h>

int main(int count, char **arguments) {
  if (count != 2) return 64;
  simdjson::padded_string lines;
  if (simdjson::padded_string::load(arguments[1]).get(lines)) return 2;
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream stream;
  if (parser.iterate_many(lines, 1 << 20).get(stream)) return 2;
  std::map<std::pair<std::string, std::string>, long> groups;
  std::pair<std::string, std::string> key;
  for (auto line : stream) {
    std::string_view queue, kind;
    if (line["queue"].get(queue) || line["kind"].get(kind)) return 2;
    key.first.assign(queue);
    key.second.assign(kind);
    groups[key]++;
  }
  for (const auto &group : groups) {
    std::printf("%s %s %ld\n", group.first.first.c_str(), group.first.second.c_str(), group.second);
  }
}
