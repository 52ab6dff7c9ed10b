// The types and names of a toolkit's objects, from GLib's type system.
#ifndef MAINSTAY_TOOLKIT_OBJECTS_H
#define MAINSTAY_TOOLKIT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "toolkit_interposer.h"

/// True if an instance, or a type, belongs to the toolkit by the rules of the list.
bool ms_toolkit_is_object_of(const ms_toolkit_kit *kit, uintptr_t instance);
bool ms_toolkit_is_type_of(const ms_toolkit_kit *kit, uintptr_t type);

/// Writes an instance's type, and its name if it has one; writes empty strings if `instance` is not an object.
void ms_toolkit_describe(const ms_toolkit_kit *kit, uintptr_t instance, char type[64], char name[64]);

#endif
