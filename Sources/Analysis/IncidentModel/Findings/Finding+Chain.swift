extension Finding {
  /// One part of the chain from a cause to the end of a run.
  package struct ChainLink: Hashable, Sendable, Codable {
    package enum Part: String, Sendable, Codable {
      case cause, effect, end
      /// The end of the run, if the cause need not have led to it.
      case afterwards
    }

    package var part: Part
    package var text: String
    /// The time in nanoseconds since 1970; 0 if unknown.
    package var wall: UInt64
    package var place: CodePlace?

    package init(_ part: Part, _ text: String, wall: UInt64 = 0, place: CodePlace? = nil) {
      self.part = part
      self.text = text
      self.wall = wall
      self.place = place
    }
  }

  /// An alternative cause that was examined, with the reason that rules it out.
  package struct Alternative: Hashable, Sendable, Codable {
    package var what: String
    package var refusal: String

    package init(_ what: String, _ refusal: String) {
      self.what = what
      self.refusal = refusal
    }
  }

  /// A finding of another rule about the same cause, merged into this finding.
  package struct Merged: Hashable, Sendable, Codable {
    package var rule: String
    package var title: String
    package var evidence: [Evidence]

    package init(_ finding: Finding) {
      rule = finding.rule
      title = finding.title
      evidence = finding.evidence
    }
  }
}
