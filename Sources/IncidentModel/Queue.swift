/// A dispatch queue, by the serial number that no other queue of its process ever has.
package struct Queue: Hashable, Sendable {
  package var serial: UInt64
  package var label: String

  package init(serial: UInt64, label: String) {
    self.serial = serial
    self.label = label
  }
}
