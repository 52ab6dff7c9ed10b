#include "python_frames.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "list.h"

/// The used part of CPython's C interface, which is the same in 3.9 and all later versions.
static struct {
  int (*is_initialized)(void);
  int (*is_finalizing)(void);  // NULL if unavailable
  void *(*this_thread)(void);
  int (*has_lock)(void);
  int (*lock)(void);
  void (*unlock)(int);
  void *(*frame)(void);
  void *(*code)(void *frame);
  void *(*back)(void *frame);
  int (*line)(void *frame);
  void *(*attribute)(void *object, const char *name);
  const char *(*text)(void *object);
  void (*fetch)(void **, void **, void **);
  void (*restore)(void *, void *, void *);
  void (*release)(void *);
} python;

static const struct {
  void *place;
  const char *name;
  bool is_needed;
} functions[] = {
    {&python.is_initialized, "Py_IsInitialized", true},
    {&python.is_finalizing, "_Py_IsFinalizing", false},
    {&python.this_thread, "PyGILState_GetThisThreadState", true},
    {&python.has_lock, "PyGILState_Check", true},
    {&python.lock, "PyGILState_Ensure", true},
    {&python.unlock, "PyGILState_Release", true},
    {&python.frame, "PyEval_GetFrame", true},
    {&python.code, "PyFrame_GetCode", true},
    {&python.back, "PyFrame_GetBack", true},
    {&python.line, "PyFrame_GetLineNumber", true},
    {&python.attribute, "PyObject_GetAttrString", true},
    {&python.text, "PyUnicode_AsUTF8", true},
    {&python.fetch, "PyErr_Fetch", true},
    {&python.restore, "PyErr_Restore", true},
    {&python.release, "Py_DecRef", true},
};

enum { unknown = 0, absent = 1, there = 2 };

/// True if the process is a Python interpreter, checked once: an interpreter that a program loads later is not read.
static bool is_python(void) {
  static _Atomic int state;
  int known = atomic_load(&state);
  if (known) return known == there;
  known = there;
  for (size_t i = 0; i < sizeof functions / sizeof *functions && known == there; i++) {
    void *found = ms_real_dlsym()(RTLD_DEFAULT, functions[i].name);
    memcpy(functions[i].place, &found, sizeof found);
    if (!found && functions[i].is_needed) known = absent;
  }
  atomic_store(&state, known);
  return known == there;
}

static void copy_attribute(void *code, const char *name, char *text, size_t size) {
  void *value = python.attribute(code, name);
  const char *read = value ? python.text(value) : NULL;
  snprintf(text, size, "%s", read ? read : "?");
  if (value) python.release(value);
}

static void read_frame(void *frame, char text[MS_SCRIPT_TEXT]) {
  char file[128], function[64];
  void *code = python.code(frame);
  copy_attribute(code, "co_filename", file, sizeof file);
  copy_attribute(code, "co_name", function, sizeof function);
  python.release(code);
  // A path that is too long is truncated at its start.
  size_t length = strlen(file), most = MS_SCRIPT_TEXT - sizeof function - 16;
  snprintf(text, MS_SCRIPT_TEXT, "%s:%d %s", length > most ? file + length - most : file, python.line(frame), function);
}

static void read_frames(ms_script *script) {
  void *error[3];
  python.fetch(&error[0], &error[1], &error[2]);
  void *frame = python.frame();
  bool is_ours = false;  // the first frame is borrowed
  while (frame && script->count < MS_SCRIPT_FRAMES) {
    read_frame(frame, script->frames[script->count++]);
    void *outer = python.back(frame);
    if (is_ours) python.release(frame);
    frame = outer;
    is_ours = true;
  }
  if (frame && is_ours) python.release(frame);
  python.restore(error[0], error[1], error[2]);
}

/// True if the caller is a library through which Python calls C.
static bool comes_from_python(uintptr_t caller) {
  uintptr_t offset;
  const char *file = ms_toolkit_file_of(caller - 1, &offset);
  return file && (strncmp(file, "libffi.so", 9) == 0 || strncmp(file, "_gi.", 4) == 0 ||
                  strncmp(file, "_ctypes.", 8) == 0);
}

void ms_script_read(ms_script *script, uintptr_t caller) {
  script->count = 0;
  if (!is_python() || !python.is_initialized() || (python.is_finalizing && python.is_finalizing())) return;
  if (!python.this_thread()) return;
  if (python.has_lock()) return read_frames(script);
  if (!comes_from_python(caller)) return;
  int before = python.lock();
  read_frames(script);
  python.unlock(before);
}
