extension Crumb {
  /// A crumb that outlives the batch its event is in.
  package init(_ event: Event) {
    let marks = event.marks
    self.init(
      monotonic: event.monotonic, wall: event.wall, thread: event.thread, number: event.number,
      queue: event.queue, onMain: event.onMain, kind: event.kind, level: event.level,
      category: event.category, message: event.message, data: event.data, stack: event.stack,
      hop: event.hop, isMessageCut: marks.contains(.messageCut),
      isDataCut: marks.contains(.dataCut), isInterrupting: marks.contains(.interrupting))
  }
}
