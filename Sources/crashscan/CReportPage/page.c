#include "CReportPage.h"

// The compiler does not see the files that the assembler includes. Each `__has_include` makes this file depend on one
// of them, so that a change of the page is built.
#if !(__has_include("Page/page.html") && __has_include("Page/colours.css") && \
      __has_include("Page/page.css") && __has_include("Page/filter.css") && \
      __has_include("Page/findings.css") && __has_include("Page/timeline.css") && \
      __has_include("Page/table.css") && __has_include("Page/details.css") && \
      __has_include("Page/keys.css") && __has_include("Page/media.css") && \
      __has_include("Page/begin.js") && __has_include("Page/state.js") && \
      __has_include("Page/format.js") && \
      __has_include("Page/data.js") && __has_include("Page/lanes.js") && \
      __has_include("Page/filter.js") && __has_include("Page/view.js") && \
      __has_include("Page/palette.js") && __has_include("Page/marks.js") && \
      __has_include("Page/ground.js") && __has_include("Page/plot.js") && \
      __has_include("Page/overview.js") && __has_include("Page/pointer.js") && \
      __has_include("Page/select.js") && __has_include("Page/findings.js") && \
      __has_include("Page/details.js") && __has_include("Page/findingDetails.js") && \
      __has_include("Page/eventDetails.js") && __has_include("Page/runDetails.js") && \
      __has_include("Page/table.js") && __has_include("Page/search.js") && \
      __has_include("Page/controls.js") && __has_include("Page/keys.js") && \
      __has_include("Page/print.js") && __has_include("Page/main.js"))
#error "a file of the page is missing"
#endif

#define FILE(name) ".incbin \"" name "\"\n"
// Each file of the script has a scope of its own; its return value is its interface for the others.
#define TEXT(text) ".ascii \"" text "\\n\"\n"
#define MODULE(name) TEXT("modules." name " = (() => {") FILE(name ".js") TEXT("})();")
// With hidden visibility, code addresses a label relative to the program counter. lld rejects a constant table of
// these addresses on arm64.
#define HERE __attribute__((visibility("hidden")))
#define PIECE(name, files)                                                                     \
  __asm__(".pushsection .rodata\nms_" #name "_start:\n" files "ms_" #name "_end:\n.byte 0\n" \
          ".popsection\n");                                                                    \
  HERE extern const unsigned char ms_##name##_start[], ms_##name##_end[];                      \
  struct ms_page_piece ms_##name(void) {                                                       \
    const unsigned char *start = ms_##name##_start;                                            \
    return (struct ms_page_piece){start, (size_t)(ms_##name##_end - start)};                   \
  }

PIECE(page_frame, FILE("page.html"))
PIECE(page_style,
      FILE("colours.css") FILE("page.css") FILE("filter.css") FILE("findings.css")
      FILE("timeline.css") FILE("table.css") FILE("details.css") FILE("keys.css")
      FILE("media.css"))
PIECE(page_script,
      FILE("begin.js")
      MODULE("state") MODULE("format") MODULE("data") MODULE("lanes") MODULE("filter")
      MODULE("view") MODULE("palette") MODULE("marks") MODULE("ground") MODULE("plot")
      MODULE("overview") MODULE("pointer") MODULE("select") MODULE("findings") MODULE("details")
      MODULE("findingDetails") MODULE("eventDetails") MODULE("runDetails") MODULE("table")
      MODULE("search") MODULE("controls") MODULE("keys") MODULE("print") MODULE("main")
      TEXT("modules.main.begin();"))
