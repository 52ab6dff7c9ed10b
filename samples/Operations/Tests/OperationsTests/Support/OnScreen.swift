import Testing

/// All tests that show something, one after the other: a violation is then the running test's own.
@Suite(.serialized) enum OnScreen {}
