"""A window whose text a worker changes: by itself with the argument `wrong`, else by handing it over.

gtk.py 3.0|4.0 [wrong]
"""
import sys
import threading

import gi

gi.require_version("Gtk", sys.argv[1])
from gi.repository import GLib, Gtk  # noqa: E402

loop = GLib.MainLoop()
window = Gtk.Window()
label = Gtk.Label(label="waits")
if sys.argv[1] == "3.0":
    window.add(label)
    window.show_all()
else:
    window.set_child(label)
    window.present()


def work():
    if "wrong" in sys.argv:
        label.set_text("done")  # here
        label.props.label = "done"  # and here
        Gtk.Label(label="more")  # and there
    else:
        GLib.idle_add(label.set_text, "done")
    GLib.idle_add(loop.quit)


worker = threading.Thread(target=work)
worker.start()
# Nobody draws meanwhile: what the fault may do is another matter.
worker.join()
loop.run()
sys.exit(7)
