// Every public function of BreadcrumbNotifications that takes a text, a value or a number; see
// Breadcrumbs.swift.
import BreadcrumbNotifications
import Breadcrumbs
import Foundation

let item = "bolts", part = item.dropFirst()

func notifications(_ recorder: BreadcrumbRecorder, _ center: NotificationCenter?) {
  recorder.recordNotifications(named: [.init("fixed"), .init(item)]).end()
  let token = recorder.recordNotifications(
    named: [Notification.Name("\(part)")], from: center ?? .default, as: .note(.debug))
  token.end()
  _ = recorder.recordNotifications(named: [.NSCalendarDayChanged], as: .lifecycle)
  // expected-error@+1 {{cannot convert value of type 'String' to expected element type}}
  _ = recorder.recordNotifications(named: [item])
}
