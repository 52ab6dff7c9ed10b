/// Why a file is no report that can be read.
package struct ReportReadingError: Error, CustomStringConvertible {
  package let description: String
  /// Whether the file is something else altogether, and not a report that cannot be read.
  package var isOfSomethingElse = false
}
