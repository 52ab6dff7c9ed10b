import Glibc

/// Whether these tests, and so the programs beside them, are built with a sanitizer: it answers faults in
/// its own way, and adds calls of its own to every object.
public let isSanitized = hasThreadSanitizer || dlsym(nil, "__asan_init") != nil

/// Whether that is the thread sanitizer: a fault in an atomic of the host's finds it within a lock of its
/// own, and it never comes out.
public let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil
