// Every public function of Breadcrumbs that takes a text, a value or a number, with what people hand
// it. The compiler must say what is expected beside a call, and nothing else.
import Breadcrumbs
import Foundation

struct Order: CustomStringConvertible {
  var description: String { "an order" }
}
struct Opaque {}
enum Stage: String { case paid }

let item = "bolts", part = item.dropFirst(), count = 4, price = 0.5, isPaid = true
let id = UUID(), byte: UInt8 = 1, long: Int64 = 2, word: UInt = 3, short: Int16 = 4,
  ratio: Float = 5
let url = URL(fileURLWithPath: "/"), letter: Character = "a", name: StaticString = "a",
  when = Date()
let maybe: String? = nil, maybeCount: Int? = nil, failure: any Error = CancellationError()

func recorder() throws(RecordingError) -> BreadcrumbRecorder {
  let byPart = try BreadcrumbRecorder(path: "\(part).log", capacity: 1 << 20, keepingLast: count)
  byPart.close()
  return try BreadcrumbRecorder(
    path: "a.log", capacity: Int(long), durability: .machine(syncEvery: .seconds(byte)),
    redact: { draft in
      draft.message = draft.message + draft.category
      draft.data.removeAll { $0.key == "password" || $0.value == "secret" || $0.value == 4 }
      draft.data.append(("count", .integer(draft.data.count)))
    })
}

func messages(_ recorder: BreadcrumbRecorder) {
  recorder.record("fixed")
  recorder.record(name)
  recorder.record("made of \(count)", level: .error, category: "tests", stack: .never)
  recorder.record(item)
  recorder.record(part, stack: .always)
  recorder.record(maybe ?? "none", level: .debug)
  recorder.record("\(letter)" + item, category: "tests")
  recorder.record(item, category: name)
  // expected-error@+1 {{cannot convert value of type 'String?'}}
  recorder.record(maybe)
  // expected-error@+1 {{cannot convert value of type 'Int'}}
  recorder.record(count)
  recorder.record("fixed", category: item)
  recorder.record(name, category: name)
  recorder.record(name, category: item, stack: .never)
}

func values(_ recorder: BreadcrumbRecorder) {
  recorder.record("short", data: [:])
  recorder.record("short", data: ["a": 1, "b": "c", "d": true, "e": 0.5, "f": "\(item)", "g": -1])
  recorder.record(item, data: ["a": .integer(count), "b": .string(item), "c": .boolean(isPaid)])
  recorder.record(part, data: ["a": .integer(long), "b": .integer(byte), "c": .integer(word)])
  recorder.record("short", data: ["a": .double(price), "b": .double(Double(ratio)), "c": 1])
  recorder.record(
    "short", data: ["a": .string("\(part)"), "b": .string(String(part)), "c": .integer(1)])
  recorder.record("short", data: [item: 1, "\(part)": "b"], stack: .always)
  let kept: KeyValuePairs<String, CrumbValue> = ["a": 1]
  recorder.record("short", data: kept)

  recorder.record("plain", data: ["item": item])
  recorder.record("plain", level: .notice, category: "tests", data: ["item": item, "count": count])
  recorder.record("plain \(count)", data: ["item": part, "count": long, "id": id, "paid": isPaid])
  recorder.record(item, data: ["a": byte, "b": word, "c": short, "d": ratio, "e": price, "f": 1])
  recorder.record(part, data: ["a": "\(item)", "b": item + "s", "c": count * 2, "d": count > 1])
  recorder.record("plain", data: ["url": url, "when": when, "letter": letter, "name": name])
  recorder.record("plain", data: ["order": Order(), "stage": Stage.paid.rawValue, "of": "shop"])
  recorder.record("plain", data: ["item": maybe ?? "none", "error": "\(failure)", "count": 0.5])
  recorder.record(
    "plain", data: ["a": CrumbValue.integer(byte), "b": item, item: "b"], stack: .never)
}

func lifecycle(_ recorder: BreadcrumbRecorder) {
  recorder.recordLifecycle(.didLaunch)
  recorder.recordLifecycle(.init("drained"), data: ["open": 1, "of": .integer(byte)])
  recorder.recordLifecycle(.didLaunch, data: ["item": item, "id": id, "of": 4], stack: .never)
  recorder.beginBackgroundTask("upload \(item)").end()
  recorder.beginBackgroundTask(String(part), expiringAfter: .seconds(long)).expire()
  // expected-error@+1 {{unwrap an optional first}}
  recorder.recordLifecycle(.didLaunch, data: ["item": maybe])
}

func levels(_ recorder: BreadcrumbRecorder) {
  recorder.debug("fixed")
  recorder.info(name, category: "tests")
  recorder.notice("made of \(count)", stack: .always)
  recorder.warning(part, category: name)
  recorder.error("refused", category: "net", data: ["order": 4, "of": .string(item)])
  recorder.error("refused \(count)", data: ["order": id, "of": item])
  recorder.fatal(item)
  // expected-error@+1 {{unwrap an optional first}}
  recorder.error("no", data: ["item": maybe])
}

func namesMadeAtRunTime(_ recorder: BreadcrumbRecorder) {
  recorder.record("fixed", category: "tests \(count)")
  recorder.record(part, level: .error, category: "\(item)", stack: .never)
  recorder.record("short", category: item, data: ["a": 1, "b": .integer(byte)])
  recorder.record("plain", category: part, data: ["a": item, "b": id])
  recorder.record("short", category: name, data: ["a": .integer(byte)])
  recorder.record(name, category: name, data: ["a": item])
  recorder.error("plain", category: item, data: ["a": item, "b": id])
  recorder.error("short", category: item, data: ["a": 1])
  recorder.error("fixed", category: item)
  recorder.recordLifecycle(LifecycleEvent(item))
  recorder.recordLifecycle("drained")
  recorder.recordLifecycle("drained \(count)", data: ["open": 1], stack: .never)
  recorder.recordLifecycle(.init(item), data: ["item": item, "id": id])
}

func refused(_ recorder: BreadcrumbRecorder) {
  // expected-error@+1 {{unwrap an optional first}}
  recorder.record("no", data: ["item": maybe])
  // expected-error@+1 {{unwrap an optional first}}
  recorder.record(item, data: ["item": item, "count": maybeCount])
  // expected-error@+1 {{unwrap an optional first}}
  recorder.record("no", data: ["item": nil])
  // expected-error@+1 {{write "\\(value)" for others}}
  recorder.record("no", data: ["item": Opaque()])
  // expected-error@+1 {{write "\\(value)" for others}}
  recorder.record("no", data: ["stage": Stage.paid])
  // expected-error@+1 {{write "\\(value)" for others}}
  recorder.record("no", data: ["error": failure])
  // expected-error@+1 {{type 'Int' to expected dictionary key type 'String'}}
  recorder.record("no", data: [count: item])
  // expected-error@+1 {{type 'String' to expected dictionary value type 'CrumbValue'}}
  recorder.record("no", data: ["short": .integer(1), "plain": item])
  // expected-error@+1 {{cannot convert value of type '[String : String]'}}
  recorder.record("no", data: [item: item] as [String: String])
}

func contexts(_ recorder: BreadcrumbRecorder) async throws {
  withCrumbs(["order": 42, "item": "bolts"]) { recorder.record("fixed") }
  let made = withCrumbs(["item": item, "count": count, "id": id]) { count + 1 }
  await withCrumbs(["kind": .string(item)]) { await Task.yield() }
  try await withCrumbs(["order": Order(), "count": made]) { try await Task.sleep(for: .seconds(1)) }
}
