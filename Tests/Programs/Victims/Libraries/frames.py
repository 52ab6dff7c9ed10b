# Prints each frame of a core dump's crashed thread: its address, and its function as linkers know it.

import gdb

gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace past-entry on")
frame = gdb.newest_frame()
while frame is not None:
    # What was inlined, or called by a jump, has no frame on the stack.
    if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
        print("FRAME %x %s" % (frame.pc(), frame.name()))
    frame = frame.older()
