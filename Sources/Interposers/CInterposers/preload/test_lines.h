// Copies XCTest's lines about tests from the bundle's standard output.
#ifndef MAINSTAY_TEST_LINES_H
#define MAINSTAY_TEST_LINES_H

/// Begins to copy the lines to the file at `path`. A header line with the time and the size in bytes precedes each
/// line. Not signal-safe.
void ms_test_lines_begin(const char *path);

#endif
