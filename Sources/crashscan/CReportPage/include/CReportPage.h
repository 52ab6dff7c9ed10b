// The files of the HTML page, embedded so that crashscan needs no files beside it, and the commit of the build.

#ifndef C_REPORT_PAGE_H
#define C_REPORT_PAGE_H

#include <stddef.h>

/// A part of the page; it lives as long as the process.
struct ms_page_piece {
  const unsigned char *start;
  size_t size;
};

/// The markup, with a mark where each of the other parts goes.
struct ms_page_piece ms_page_frame(void);

/// The style sheet.
struct ms_page_piece ms_page_style(void);

/// The script: its files one after the other.
struct ms_page_piece ms_page_script(void);

/// The commit that crashscan was built from; NULL if the build did not set MAINSTAY_COMMIT.
const char *crashscan_commit(void);

#endif
