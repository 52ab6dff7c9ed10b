import Breadcrumbs
import Dispatch
import Foundation

let (path, status, id, count) = ("/orders", 200, UUID(), 3)
let queue = DispatchQueue(label: "com.example.orders")
let recorder = try! BreadcrumbRecorder(path: "breadcrumbs.log")
