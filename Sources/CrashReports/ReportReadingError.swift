/// Why a file is no report that can be read.
package struct ReportReadingError: Error, CustomStringConvertible {
  package let description: String
}
