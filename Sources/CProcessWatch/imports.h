// Changes what the modules of this process call when they call a function by its name.
#ifndef MAINSTAY_IMPORTS_H
#define MAINSTAY_IMPORTS_H

/// A function that modules import, and what they are to find under its name.
typedef struct {
  const char *name;
  void *now;  // only where they find this; NULL: whatever they find
  void *then;
} ms_import;

/// Changes these imports of every module that is loaded now and imports `beside` as well; NULL: of
/// every module. What cannot be changed stays as it is. Not signal-safe.
void ms_imports_change(const char *beside, const ms_import *imports, unsigned count);

#endif
