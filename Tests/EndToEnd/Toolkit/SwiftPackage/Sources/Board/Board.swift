// A window whose text a worker changes: by itself with the argument `wrong`, else by handing it over. GTK 3 and 4.
import CGTK

/// Apart from `main.swift`, whose closures belong to the main actor.
enum Board {
  nonisolated(unsafe) static let label = board_show()
  nonisolated(unsafe) static let loop = g_main_loop_new(nil, 0)
  static let isWrong = CommandLine.arguments.contains("wrong")

  static func setTooltip() {
    gtk_widget_set_tooltip_text(label, "done")  // here
  }

  static func work() {
    if isWrong {
      setTooltip()
    } else {
      g_idle_add(
        { _ in
          Board.setTooltip()
          return 0
        }, nil)
    }
    g_idle_add(
      { _ in
        g_main_loop_quit(Board.loop)
        return 0
      }, nil)
  }

  static func run() {
    _ = label
    let worker = g_thread_new(
      "worker",
      { _ in
        Board.work()
        return nil
      }, nil)
    // Nobody draws meanwhile: what the fault may do is another matter.
    g_thread_join(worker)
    g_main_loop_run(loop)
  }
}
