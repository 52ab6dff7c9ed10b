import Breadcrumbs

let recorder = try! BreadcrumbRecorder(path: "breadcrumbs.log")
