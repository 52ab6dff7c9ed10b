import Breadcrumbs
import Foundation

let recorder = try! BreadcrumbRecorder(path: "breadcrumbs.log")
let (path, status, id) = ("/orders", 200, UUID())
