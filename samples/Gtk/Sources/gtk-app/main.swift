// A window that shows the size of a file, which a background queue reads.

import CGTK
import Dispatch
import Mainstay

/// Runs `body` once on GTK's thread. `MainHop`, `DispatchQueue.main` and the main actor cannot: GLib's main loop
/// does not run Dispatch's main queue.
@Sendable func onGTK(_ body: @escaping @Sendable () -> Void) {
  final class Call: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let run: GSourceFunc = { call in
    Unmanaged<Call>.fromOpaque(call!).takeRetainedValue().body()
    return 0
  }
  g_idle_add(run, Unmanaged.passRetained(Call(body)).toOpaque())
}

/// The window. `@unchecked Sendable`: it belongs to GTK's thread, which `init` binds and `show` checks.
final class SizeWindow: @unchecked Sendable {
  private let thread = Affinity.thread("GTK")
  private let label = gtk_label_new("Reading")

  init(_ application: UnsafeMutablePointer<GtkApplication>) {
    thread.expect("the window opens")
    let window = OpaquePointer(gtk_application_window_new(application)!)
    gtk_window_set_child(.init(window), label)
    gtk_window_present(.init(window))
  }

  func show(_ size: Int) {
    thread.expect("the label changes")
    gtk_label_set_text(OpaquePointer(label), "\(size) bytes")
    recorder.record("shown", category: "window", data: ["bytes": .integer(size)])
  }
}

let recorder = Mainstay.start().recorder
let watch = HangWatch(named: "GTK") { onGTK($0) }  // reports a main loop that does not answer

let activate: @convention(c) (UnsafeMutablePointer<GtkApplication>, gpointer?) -> Void = { app, _ in
  recorder.recordLifecycle(.didLaunch)
  let window = SizeWindow(app)
  DispatchQueue(label: "com.example.files").async {
    var text: UnsafeMutablePointer<gchar>?
    var length: gsize = 0
    g_file_get_contents("/etc/os-release", &text, &length, nil)
    g_free(text)
    let size = Int(length)
    if CommandLine.arguments.contains("--bug") {
      window.show(size)  // the bug: this queue is not GTK's thread
    } else {
      onGTK { window.show(size) }
    }
  }
}
let application = gtk_application_new("com.example.size", GApplicationFlags(0))!
g_signal_connect_data(
  application, "activate", unsafeBitCast(activate, to: GCallback.self), nil, nil, GConnectFlags(0))
let quit: GSourceFunc = { _ in
  g_application_quit(g_application_get_default())
  return 0
}
g_unix_signal_add(SIGTERM, quit, nil)
g_application_run(.init(OpaquePointer(application)), 0, nil)
recorder.recordLifecycle(.willTerminate)
