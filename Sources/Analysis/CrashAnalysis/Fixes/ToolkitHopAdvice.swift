/// Names the call by which a toolkit runs code on its own thread.
enum ToolkitHopAdvice {
  /// Returns the advice for a toolkit function; nil if the function belongs to no known toolkit.
  static func text(_ function: String) -> String? {
    if ["gtk_", "gdk_"].contains(where: function.hasPrefix) || function == "GTK" {
      return "In GTK, use g_idle_add(function, data)."
    }
    if function.hasPrefix("v8::") {
      return "In Node, use napi_call_threadsafe_function, or Napi::ThreadSafeFunction."
    }
    let crate = function.prefix { $0 != ":" }
    if ["gtk", "gtk4", "gdk", "gdk4"].contains(crate) {
      return
        "In GTK, use glib::MainContext::default().invoke, or a channel that the main context reads."
    }
    // Qt's class names have a capital letter after the Q: QObject, QTimer.
    guard function.first == "Q", function.dropFirst().first?.isUppercase == true,
      function.contains("::")
    else { return nil }
    return "In Qt, use a signal, or QMetaObject::invokeMethod with Qt::QueuedConnection."
  }
}
