import Testing

/// Tests that check this whole process for violations, or keep its main queue: one after the other.
@Suite(.serialized) enum InTurn {}
