import Breadcrumbs
import Dispatch
import Foundation
import ThreadAffinity

/// A check that fails in a task, below functions that wait for it.
func breakInTask(_ recorder: BreadcrumbRecorder) -> Never {
  Task.detached {
    await refreshAll()
    recorder.close()
    exit(0)
  }
  dispatchMain()
}

func refreshAll() async {
  await refresh(row: 1)
}

@inline(never)
private func refresh(row: Int) async {
  await Task.yield()
  await [row].first.map(Row.init)?.redraw()
}

private struct Row {
  let number: Int

  @inline(never)
  func redraw() async {
    await Task.yield()
    expectMainQueue("row is drawn")
  }
}
