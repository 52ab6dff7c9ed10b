// A window whose title a worker changes: by itself with the argument `wrong`, else by an event.
#include <SDL2/SDL.h>
#include <string.h>

static SDL_Window *window;
static SDL_bool is_wrong;

static int work(void *unused) {
  (void)unused;
  if (is_wrong) SDL_SetWindowTitle(window, "done");  // here
  SDL_Event event = {.type = SDL_USEREVENT};
  SDL_PushEvent(&event);
  return 0;
}

int main(int count, char **arguments) {
  is_wrong = count > 1 && strcmp(arguments[1], "wrong") == 0;
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
  window = SDL_CreateWindow("waits", 0, 0, 100, 100, 0);
  SDL_Thread *worker = SDL_CreateThread(work, "worker", NULL);
  SDL_Event event;
  while (SDL_WaitEvent(&event) && event.type != SDL_USEREVENT) {
  }
  if (!is_wrong) SDL_SetWindowTitle(window, "done");
  SDL_WaitThread(worker, NULL);
  SDL_DestroyWindow(window);
  SDL_Quit();
  return 7;
}
