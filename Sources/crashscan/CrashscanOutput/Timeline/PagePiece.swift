import CReportPage

/// A part of the page, embedded at build time.
struct PagePiece {
  let bytes: [UInt8]

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The digest for the page's content security policy.
  let digest: String

  static let frame = PagePiece(ms_page_frame())
  static let style = PagePiece(ms_page_style())
  static let script = PagePiece(ms_page_script())

  private init(_ piece: ms_page_piece) {
    bytes = Array(UnsafeBufferPointer(start: piece.start, count: piece.size))
    digest = "sha256-" + Base64.encoded(SHA256.digest(of: bytes))
  }

  /// Returns the text with each `{{name}}` replaced; replacements are not searched again.
  func filled(_ values: [String: String]) -> String {
    var rest = text[...]
    var filled = ""
    while let open = rest.firstRange(of: "{{"),
      let close = rest[open.upperBound...].firstRange(of: "}}")
    {
      filled += rest[..<open.lowerBound]
      filled += values[String(rest[open.upperBound..<close.lowerBound])] ?? ""
      rest = rest[close.upperBound...]
    }
    return filled + rest
  }
}
