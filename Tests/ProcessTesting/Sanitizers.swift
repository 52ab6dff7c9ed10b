import Glibc

/// Whether these tests, and so the programs beside them, are built with a sanitizer: it answers faults in
/// its own way, and adds calls of its own to every object.
public let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
