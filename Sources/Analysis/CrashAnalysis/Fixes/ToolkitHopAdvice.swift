/// Names the call by which a toolkit runs code on its own thread.
enum ToolkitHopAdvice {
  /// Returns the advice for a toolkit function; nil if the function belongs to no known toolkit.
  static func text(_ function: String) -> String? {
    if ["gtk_", "gdk_"].contains(where: function.hasPrefix) || function == "GTK" {
      return "GTK's way there is g_idle_add(function, data)."
    }
    let crate = function.prefix { $0 != ":" }
    if ["gtk", "gtk4", "gdk", "gdk4"].contains(crate) {
      return "GTK's way there is glib::MainContext::default().invoke, or a channel that it reads."
    }
    // Qt's class names have a capital letter after the Q: QObject, QTimer.
    guard function.first == "Q", function.dropFirst().first?.isUppercase == true,
      function.contains("::")
    else { return nil }
    return "Qt's way there is a signal, or QMetaObject::invokeMethod with Qt::QueuedConnection."
  }
}
