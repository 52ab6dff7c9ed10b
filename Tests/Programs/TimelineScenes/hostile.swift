import Breadcrumbs
import Dispatch
import Glibc
import ThreadAffinity

/// Texts that would be markup, script or the end of an element, were they not just texts.
let attacks = [
  "</script><script>window.owned=1</script>", "<img src=x onerror=\"window.owned=1\">",
  "<!--<script>", "]]><svg onload=window.owned=1>", "\u{2028}window.owned=1//\u{2029}",
  "\"};window.owned=1;//", "\\u003cscript>window.owned=1", "{{script}}",
  "javascript:window.owned=1",
  "\u{202E}gnp.exe", "\u{0}\u{1B}[2J", "__proto__", "constructor", "&lt;b&gt;&amp;",
  "'+window.owned+'",
]

/// A log whose every name was chosen by somebody who means harm.
@Sendable func hostile() {
  recorder.recordLifecycle(.didBecomeActive)
  let group = DispatchGroup()
  for attack in attacks {
    DispatchQueue(label: attack).async(group: group) {
      recorder.record(
        attack, category: "<b>category</b>", data: ["\(attack)": .string(attack), "__proto__": 1])
      recorder.record("\(attack) failed", level: .error)
      expectMainQueue("<i onclick=window.owned=1>check</i>")
    }
  }
  let task = recorder.beginBackgroundTask(attacks[0])
  group.notify(queue: .main) {
    task.end()
    exit(0)
  }
}
