// The lines of XCTest that tell of a test, copied from the bundle's standard output.
#ifndef MAINSTAY_TEST_LINES_H
#define MAINSTAY_TEST_LINES_H

/// Begins to copy them to the file at `path`, each behind a line with the time and its size in bytes. Not signal-safe.
void ms_test_lines_begin(const char *path);

#endif
