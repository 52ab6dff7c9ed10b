extension BreadcrumbRecorder {
  /// Records a breadcrumb whose keys, too, are known at run time only.
  package func record(
    _ message: String, level: CrumbLevel, inCategory category: String,
    values: [(key: String, value: CrumbValue)]
  ) {
    var crumb = beginCrumb(at: level)
    for (key, value) in values { crumb.add(key, value) }
    leave(
      endCrumb(
        crumb, message, level, inCategory: category,
        walks: StackCapture.automatic.walks(at: level)))
  }
}
