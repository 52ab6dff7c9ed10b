#include <stdlib.h>

#include "lines.h"

/// Merges two adjacent sorted parts.
static void merge(ms_line_row *rows, size_t middle, size_t count, ms_line_row *room) {
  memcpy(room, rows, middle * sizeof *rows);
  size_t left = 0, right = middle, to = 0;
  while (left < middle && right < count)
    rows[to++] = ms_row_is_before(&rows[right], &room[left]) ? rows[right++] : room[left++];
  memcpy(rows + to, room + left, (middle - left) * sizeof *rows);
}

/// The end of the sorted run that begins at a row.
static size_t end_of_run(const ms_line_row *rows, size_t at, size_t count) {
  do at++;
  while (at < count && !ms_row_is_before(&rows[at], &rows[at - 1]));
  return at;
}

void ms_rows_sort(ms_builder *builder, ms_line_row *rows, size_t count) {
  // Each sequence is mostly sorted: pairs of sorted runs are merged until a single run is left.
  ms_line_row *room = malloc(count * sizeof *rows);
  if (!room) {
    builder->failed = true;
    return;
  }
  for (bool is_sorted = count < 2; !is_sorted;) {
    for (size_t begin = 0, middle; begin < count;) {
      middle = end_of_run(rows, begin, count);
      if (middle == count) {
        is_sorted = begin == 0;
        break;
      }
      size_t end = end_of_run(rows, middle, count);
      merge(rows + begin, middle - begin, end - begin, room);
      begin = end;
    }
  }
  free(room);
}
