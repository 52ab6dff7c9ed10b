// A window whose text a worker changes: by itself with the argument `wrong`, else by handing it over. GTK 3 and 4.

class Board {
  private Gtk.Label label = new Gtk.Label ("waits");
  private Gtk.Window window = new Gtk.Window ();
  private MainLoop loop = new MainLoop ();
  private bool is_wrong;

  public Board (bool is_wrong) {
    this.is_wrong = is_wrong;
#if GTK3
    window.add (label);
    window.show_all ();
#else
    window.set_child (label);
    window.present ();
#endif
  }

  private void work () {
    if (is_wrong) {
      label.label = "done";  // here
    } else {
      Idle.add (() => { label.label = "done"; return Source.REMOVE; });
    }
    Idle.add (() => { loop.quit (); return Source.REMOVE; });
  }

  public void run () {
    var worker = new Thread<void> ("worker", work);
    // Nobody draws meanwhile: what the fault may do is another matter.
    worker.join ();
    loop.run ();
  }
}

int main (string[] arguments) {
#if GTK3
  Gtk.init (ref arguments);
#else
  Gtk.init ();
#endif
  new Board (arguments.length > 1 && arguments[1] == "wrong").run ();
  return 7;
}
