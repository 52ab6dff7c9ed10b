/// How a toolkit itself brings a call to the thread of its objects.
enum ToolkitWay {
  /// The call by which it does that; nil where the function is none of a toolkit's that is known.
  static func hop(_ function: String) -> String? {
    hops.first { prefix, _ in function.hasPrefix(prefix) }?.call
  }

  private static let hops: [(prefix: String, call: String)] = [
    ("javafx.", fx), ("com.sun.javafx.", fx), ("com.sun.glass.", fx),
    ("javax.swing.", "SwingUtilities.invokeLater(() -> …)"),
    ("org.eclipse.swt.", "display.asyncExec(() -> …)"),
    ("System.Windows.Forms.", "control.BeginInvoke(() => …)"),
    ("System.Windows.", "Dispatcher.BeginInvoke(() => …)"),
    ("Avalonia.", "Dispatcher.UIThread.Post(() => …)"),
    ("Microsoft.UI.", "DispatcherQueue.TryEnqueue(() => …)"),
    ("Microsoft.Maui.", "MainThread.BeginInvokeOnMainThread(() => …)"),
    ("UIKit.", "InvokeOnMainThread(() => …)"), ("AppKit.", "InvokeOnMainThread(() => …)"),
    ("gtk_", glib), ("gdk_", glib), ("g_main_context", glib), ("g_assertion_message", glib),
    ("qt_assert", qt), ("QMessageLogger::", qt), ("QWidget::", qt), ("QObject::", qt),
    ("QCoreApplication", qt), ("QWindow::", qt), ("QQuickItem::", qt),
    ("_tkinter", "root.after(0, function)"), ("tkinter.", "root.after(0, function)"),
  ]
  private static let fx = "Platform.runLater(() -> …)"
  private static let glib = "g_idle_add(function, data)"
  private static let qt = "QMetaObject::invokeMethod(object, [=] { … }, Qt::QueuedConnection)"

  /// Nil where the function is none of a toolkit's that is known.
  static func text(_ function: String) -> String? {
    if ["gtk_", "gdk_"].contains(where: function.hasPrefix) || function == "GTK" {
      return "GTK's way there is g_idle_add(function, data)."
    }
    let crate = function.prefix { $0 != ":" }
    if ["gtk", "gtk4", "gdk", "gdk4"].contains(crate) {
      return "GTK's way there is glib::MainContext::default().invoke, or a channel that it reads."
    }
    // Qt's classes have a capital after the Q: QObject, QTimer.
    guard function.first == "Q", function.dropFirst().first?.isUppercase == true,
      function.contains("::")
    else { return nil }
    return "Qt's way there is a signal, or QMetaObject::invokeMethod with Qt::QueuedConnection."
  }
}
