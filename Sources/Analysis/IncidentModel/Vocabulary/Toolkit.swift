/// A UI toolkit that belongs to one thread: its name, and the advice from its documentation.
package struct Toolkit: Hashable, Sendable {
  package let name: String
  /// The owner thread, as the toolkit's documentation calls it.
  package let thread: String
  /// The call that sends work to the owner thread.
  package let hop: String
  /// One sentence that says how to detect UI changes on another thread where they happen.
  package let catching: String

  /// - Returns: nil unless the function or the module belongs to a known toolkit.
  package init?(function: String, module: String = "") {
    let found = Self.table.first { entry in
      entry.prefixes.contains(where: function.hasPrefix)
        || !module.isEmpty && entry.modules.contains(where: module.hasPrefix)
    }
    guard let found else { return nil }
    self = found.toolkit
  }

  /// Apple's UI frameworks, for reports without a frame of theirs.
  package static let apple = Toolkit(
    "UIKit", "the main thread", "DispatchQueue.main.async { … }",
    "The Main Thread Checker stops at each UI call on another thread.")

  private init(_ name: String, _ thread: String, _ hop: String, _ catching: String) {
    self.name = name
    self.thread = thread
    self.hop = hop
    self.catching = catching
  }

  private struct Entry: Sendable {
    let toolkit: Toolkit
    let prefixes: [String]
    let modules: [String]

    init(_ toolkit: Toolkit, _ prefixes: String, modules: String = "") {
      self.toolkit = toolkit
      self.prefixes = prefixes.split(separator: " ").map(String.init)
      self.modules = modules.split(separator: " ").map(String.init)
    }
  }

  private static let android = "runOnUiThread, or Handler(Looper.getMainLooper()).post"
  private static let post = "Dispatcher.UIThread.Post(() => …)"
  private static let fx = "Platform.runLater(() -> …)"
  private static let glib = "g_idle_add(function, data)"
  private static let qt = "QMetaObject::invokeMethod(object, [=] { … }, Qt::QueuedConnection)"

  /// The known toolkits. A toolkit that is built on another toolkit precedes that toolkit.
  private static let table: [Entry] = [
    Entry(
      Toolkit(
        "Jetpack Compose", "the main thread", android,
        "Check the context in which the composition's Recomposer was started: its effects and changes run there."
      ),
      "androidx.compose. org.jetbrains.compose. org.jetbrains.skiko."),
    Entry(
      Toolkit(
        "React Native", "the UI thread", "UiThreadUtil.runOnUiThread(() -> …)",
        "Call UiThreadUtil.assertOnUiThread() in the program's own native modules and view managers."
      ),
      "com.facebook.react.uimanager. com.facebook.react.views. com.facebook.react.fabric. "
        + "com.swmansion. com.facebook.react."),
    Entry(
      Toolkit(
        "Flutter", "the platform thread",
        "Handler(Looper.getMainLooper()).post on Android, DispatchQueue.main.async on iOS",
        "Check the thread on which a plugin answers or calls a channel."),
      "io.flutter. flutter:: fml:: shell::"),
    Entry(
      Toolkit(
        "Android", "the main thread", android,
        "Annotate functions that change views with @UiThread, which lint's WrongThread checks, and call "
          + "check(Looper.getMainLooper().isCurrentThread) in code that passes on animations, adapters and views."
      ),
      "android.view. android.widget. android.animation. android.app. android.webkit. android.transition. "
        + "android.text. com.android.internal.widget. com.android.internal.policy. androidx.recyclerview. "
        + "androidx.appcompat. androidx.fragment. androidx.constraintlayout. androidx.coordinatorlayout. "
        + "androidx.viewpager androidx.transition. androidx.lifecycle. androidx.databinding. androidx.core. "
        + "androidx.preference. androidx.navigation. androidx.arch. androidx.swiperefreshlayout. "
        + "com.google.android.material. android.os.Looper android.os.Handler android."),
    Entry(
      Toolkit(
        "Swing", "the event dispatch thread", "SwingUtilities.invokeLater(() -> …)",
        "Install a RepaintManager that checks SwingUtilities.isEventDispatchThread() in addDirtyRegion and "
          + "addInvalidComponent, and prints the stack."),
      "javax.swing. java.awt. sun.awt. sun.swing. com.sun.java.swing. com.formdev.flatlaf. "
        + "org.pushingpixels. com.intellij. org.jdesktop. com.jgoodies. org.netbeans."),
    Entry(
      Toolkit(
        "SWT", "the display's thread", "display.asyncExec(() -> …)",
        "Set a breakpoint in org.eclipse.swt.SWT.error, which stops at each refused call; for a delayed change "
          + "of a widget, check Display.getCurrent() in the code that schedules it."),
      "org.eclipse.swt. org.eclipse.jface. org.eclipse.ui."),
    Entry(
      Toolkit(
        "JavaFX", "the JavaFX application thread", fx,
        "Check Platform.isFxApplicationThread() in code that sets properties to which a scene is bound."
      ),
      "javafx. com.sun.javafx. com.sun.glass. com.sun.prism. com.jfoenix. org.controlsfx."),
    Entry(
      Toolkit(
        "Avalonia", "the UI thread", post,
        "Call Dispatcher.UIThread.VerifyAccess() in the setters of bound properties, and deliver observables with ObserveOn and the UI's scheduler."
      ),
      "Avalonia."),
    Entry(
      Toolkit(
        "Windows Forms", "the UI thread", "control.BeginInvoke(() => …)",
        "Set Control.CheckForIllegalCrossThreadCalls = true, which throws when another thread touches a control."
      ),
      "System.Windows.Forms."),
    Entry(
      Toolkit(
        "WPF", "the dispatcher's thread", "Dispatcher.BeginInvoke(() => …)",
        "Call Dispatcher.VerifyAccess() in the setters of bound properties, and in code that changes collections."
      ),
      "System.Windows. MS.Internal. MS.Utility."),
    Entry(
      Toolkit(
        "WinUI", "the UI thread", "DispatcherQueue.TryEnqueue(() => …)",
        "Check DispatcherQueue.HasThreadAccess in the setters of bound properties."),
      "Microsoft.UI. Windows.UI. WinRT.Microsoft.UI"),
    Entry(
      Toolkit(
        "MAUI", "the main thread", "MainThread.BeginInvokeOnMainThread(() => …)",
        "Check MainThread.IsMainThread in the setters of bound properties."),
      "Microsoft.Maui. Xamarin.Forms. Xamarin.Essentials."),
    Entry(
      Toolkit(
        "UIKit", "the main thread", "InvokeOnMainThread(() => …)",
        "Set UIApplication.CheckForIllegalCrossThreadCalls = true, which throws when another thread calls UIKit."
      ),
      "UIKit. ObjCRuntime."),
    Entry(
      Toolkit(
        "AppKit", "the main thread", "InvokeOnMainThread(() => …)",
        "Set NSApplication.CheckForIllegalCrossThreadCalls = true, which throws when another thread calls AppKit."
      ),
      "AppKit."),
    Entry(
      Toolkit(
        "Unity", "the main thread", "SynchronizationContext.Post, or a queue that Update drains",
        "Check the thread's id in code that callbacks and tasks call."),
      "UnityEngine. UnityEditor.", modules: "libunity UnityPlayer UnityFramework"),
    Entry(
      Toolkit(
        "Godot", "the main thread", "call_deferred",
        "Turn on the thread checks of nodes (Node.process_thread_group), which report each call."),
      "Godot. SceneTree:: Node:: CanvasItem:: Viewport::"),
    Entry(
      Toolkit(
        "Chromium", "the UI thread",
        "content::GetUIThreadTaskRunner({})->PostTask(FROM_HERE, …)",
        "The task trace names the code that posted the task; put DCHECK_CURRENTLY_ON(content::BrowserThread::UI) "
          + "into that code and into native add-ons, and build with dcheck_always_on = true."),
      "views:: cc:: aura:: ui::Layer ui::Compositor content::WebContents blink:: electron::"),
    Entry(
      Toolkit(
        "Tk", "the thread that created the interpreter", "root.after(0, function)",
        "Keep every tkinter variable, image and widget on the thread that created the interpreter: set the "
          + "references to None on that thread before other threads drop their references."),
      "Tkapp_ Tkinter_ _tkinter tkinter. Tcl_ Tk_ TkBind Tkapp",
      modules: "libtk libtcl _tkinter tkinter"),
    Entry(
      Toolkit(
        "wxWidgets", "the main thread", "wxTheApp->CallAfter, in Python wx.CallAfter",
        "Put wxASSERT(wxIsMainThread()) into code that changes windows."),
      "wxWindow wxTopLevelWindow wxFrame wxApp:: wxDC wxGUI wxEvtHandler wxPaint wx.",
      modules: "libwx_ wxbase wxmsw"),
    Entry(
      Toolkit(
        "Qt", "the GUI thread", qt,
        "Run with QT_FATAL_WARNINGS=1, which ends the program at the first warning about threads, with "
          + "its stack."),
      "QWidget QWindow QApplication QGuiApplication QPixmap QPainter QQuick QGraphics QLayout QBackingStore "
        + "QLabel QAbstractItemView QTreeView QTableView QTextDocument QStyle qt_assert QMessageLogger:: "
        + "QObject:: QCoreApplication QPlatform",
      modules:
        "libQt5Widgets libQt6Widgets libQt5Gui libQt6Gui QtWidgets QtGui Qt5Widgets Qt6Widgets "
        + "libQt5Quick libQt6Quick Qt5Gui Qt6Gui"),
    Entry(
      Toolkit(
        "GTK", "the main thread", glib,
        "Run the program as crashscan run --gtk, which reports every GTK call on another thread, with its stack."
      ),
      "gtk_ gdk_ gsk_ g_main_context g_assertion_message Gtk. Gdk.",
      modules: "libgtk- libgdk- libadwaita"),
  ]

  /// True if all functions of the toolkit are UI functions; functions of a game engine may not be.
  package var isOfViews: Bool { name != "Unity" && name != "Godot" }
}
