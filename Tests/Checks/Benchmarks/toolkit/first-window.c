// `first-window PROGRAM…` starts a program and prints the milliseconds until its first window is there, and the
// processor's until then; then ends it.

#include <X11/Xlib.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(clockid_t clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/// Whether one is there by then.
static int has_window(Display *display, double deadline) {
  for (double left; (left = deadline - milliseconds(CLOCK_MONOTONIC)) > 0;) {
    while (XPending(display)) {
      XEvent event;
      XNextEvent(display, &event);
      // What a window manager leaves alone is a menu or a hint.
      if (event.type == MapNotify && !event.xmap.override_redirect) return 1;
    }
    poll(&(struct pollfd){.fd = ConnectionNumber(display), .events = POLLIN}, 1, (int)left + 1);
  }
  return 0;
}

int main(int count, char **arguments) {
  Display *display = XOpenDisplay(NULL);
  if (!display || count < 2) return 2;
  XSelectInput(display, DefaultRootWindow(display), SubstructureNotifyMask);
  XSync(display, False);
  double start = milliseconds(CLOCK_MONOTONIC);
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    close(ConnectionNumber(display));
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  setpgid(child, child);
  int there = has_window(display, start + 60e3);
  double took = milliseconds(CLOCK_MONOTONIC) - start;
  clockid_t spent;
  double worked = clock_getcpuclockid(child, &spent) == 0 ? milliseconds(spent) : 0;
  kill(-child, SIGKILL);
  waitpid(child, NULL, 0);
  if (!there) return 1;
  printf("%.2f %.2f\n", took, worked);
  return 0;
}
