internal import LogWords

extension BreadcrumbRecorder {
  /// Records a breadcrumb whose keys, too, are known at run time only; and where in the source it comes from, if that is said.
  package func record(
    _ message: String, level: CrumbLevel, inCategory category: String,
    values: [(key: String, value: CrumbValue)], from site: (file: String, line: UInt)? = nil
  ) {
    var crumb = beginCrumb(at: level)
    for (key, value) in values { crumb.add(key, value) }
    if let site { crumb.add(LogKey.site, file: site.file, line: site.line) }
    leave(
      endCrumb(
        crumb, message, level, inCategory: category,
        walks: StackCapture.automatic.walks(at: level)))
  }
}
