"""A reduction of linuxmint/hypnotix issue 409, of what it tells and no code of it: a decorator has methods run on threads,
and they touch a menu item and a window's cursor. With the argument `wrong`; else what touches GTK is handed over.
"""
import sys
import threading

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


threads = []


def on_a_thread(function):
    def start(*arguments):
        threads.append(threading.Thread(target=function, args=arguments))
        threads[-1].start()

    return start


class Television:
    def __init__(self):
        self.loop = GLib.MainLoop()
        self.window = Gtk.Window()
        self.item = Gtk.MenuItem(label="Information")
        self.window.show_all()

    def hand_over(self, function, *arguments):
        if "wrong" in sys.argv:
            function(*arguments)
        else:
            GLib.idle_add(function, *arguments)

    @on_a_thread
    def play(self):
        self.hand_over(self.lock)
        self.reload()

    def lock(self):
        self.item.set_sensitive(False)  # here

    @on_a_thread
    def reload(self):
        self.hand_over(self.show_that_it_waits)
        GLib.idle_add(self.loop.quit)

    def show_that_it_waits(self):
        cursor = Gdk.Cursor.new_from_name(Gdk.Display.get_default(), "wait")  # and here
        self.window.get_window().set_cursor(cursor)  # and there


television = Television()
television.play()
# Nobody draws meanwhile: what the fault may do is another matter.
for thread in threads:
    thread.join()
television.loop.run()
sys.exit(7)
