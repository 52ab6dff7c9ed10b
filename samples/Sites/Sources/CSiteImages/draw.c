#include "CSiteImages.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <librsvg/rsvg.h>
#include <stdio.h>
#include <string.h>

// What claims to be larger is no icon, and would take the memory of hundreds of them.
enum { maximum_side = 4096 };

static bool fail(char *reason, size_t room, GError *error, const char *otherwise) {
  snprintf(reason, room, "%s", error ? error->message : otherwise);
  g_clear_error(&error);
  return false;
}

// No bitmap format begins with "<", and only compressed SVG is a gzip file.
static bool is_svg(const uint8_t *bytes, size_t count) {
  size_t start = count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  while (start < count && memchr(" \t\r\n", bytes[start], 4)) start += 1;
  if (count - start >= 2 && bytes[start] == 0x1F && bytes[start + 1] == 0x8B) return true;
  return start < count && bytes[start] == '<';
}

// Cairo's pixels are words of ARGB, multiplied by alpha.
static void copy_surface(cairo_surface_t *surface, int width, int height, uint8_t *pixels) {
  cairo_surface_flush(surface);
  const uint8_t *rows = cairo_image_surface_get_data(surface);
  int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      uint32_t word;
      memcpy(&word, rows + y * stride + x * 4, sizeof word);
      uint32_t alpha = word >> 24;
      uint8_t *pixel = pixels + (y * width + x) * 4;
      for (int channel = 0; channel < 3; channel++) {
        uint32_t value = word >> (16 - 8 * channel) & 0xFF;
        pixel[channel] = alpha ? (uint8_t)((value * 255 + alpha / 2) / alpha) : 0;
      }
      pixel[3] = (uint8_t)alpha;
    }
  }
}

static bool draw_svg(
    const uint8_t *bytes, size_t count, int width, int height, uint8_t *pixels, char *reason,
    size_t room) {
  GError *error = NULL;
  RsvgHandle *handle = rsvg_handle_new_from_data(bytes, count, &error);
  if (!handle) return fail(reason, room, error, "no SVG");
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *context = cairo_create(surface);
  RsvgRectangle viewport = {0, 0, width, height};
  bool is_drawn = rsvg_handle_render_document(handle, context, &viewport, &error) &&
                  cairo_status(context) == CAIRO_STATUS_SUCCESS;
  if (is_drawn) copy_surface(surface, width, height, pixels);
  cairo_destroy(context);
  cairo_surface_destroy(surface);
  g_object_unref(handle);
  return is_drawn ? true : fail(reason, room, error, "the SVG cannot be drawn");
}

static void refuse_giants(GdkPixbufLoader *loader, int width, int height, gpointer is_giant) {
  if (width <= maximum_side && height <= maximum_side) return;
  *(bool *)is_giant = true;
  // A loader that is asked for no pixels allocates none.
  gdk_pixbuf_loader_set_size(loader, 0, 0);
}

static void copy_pixbuf(const GdkPixbuf *image, int width, int height, uint8_t *pixels) {
  int columns = gdk_pixbuf_get_width(image), rows = gdk_pixbuf_get_height(image);
  int channels = gdk_pixbuf_get_n_channels(image);
  int stride = gdk_pixbuf_get_rowstride(image);
  const uint8_t *from = gdk_pixbuf_read_pixels(image);
  memset(pixels, 0, (size_t)width * (size_t)height * 4);
  uint8_t *to = pixels + ((height - rows) / 2 * width + (width - columns) / 2) * 4;
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      const uint8_t *source = from + y * stride + x * channels;
      uint8_t *target = to + (y * width + x) * 4;
      memcpy(target, source, 3);
      target[3] = channels == 4 ? source[3] : 255;
    }
  }
}

static int scaled(int side, double factor, int limit) {
  int result = (int)(side * factor + 0.5);
  return result < 1 ? 1 : result > limit ? limit : result;
}

static bool draw_pixbuf(
    const GdkPixbuf *image, int width, int height, uint8_t *pixels, char *reason, size_t room) {
  int columns = gdk_pixbuf_get_width(image), rows = gdk_pixbuf_get_height(image);
  double across = (double)width / columns, down = (double)height / rows;
  double factor = across < down ? across : down;
  GdkPixbuf *fitting = gdk_pixbuf_scale_simple(
      image, scaled(columns, factor, width), scaled(rows, factor, height), GDK_INTERP_BILINEAR);
  if (!fitting) return fail(reason, room, NULL, "no memory for the image");
  copy_pixbuf(fitting, width, height, pixels);
  g_object_unref(fitting);
  return true;
}

static bool draw_bitmap(
    const uint8_t *bytes, size_t count, int width, int height, uint8_t *pixels, char *reason,
    size_t room) {
  GError *error = NULL;
  bool is_giant = false;
  GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
  g_signal_connect(loader, "size-prepared", G_CALLBACK(refuse_giants), &is_giant);
  bool is_read = gdk_pixbuf_loader_write(loader, bytes, count, &error);
  // Closing is owed in any case; its complaint counts only if there was none before.
  is_read = gdk_pixbuf_loader_close(loader, is_read ? &error : NULL) && is_read;
  GdkPixbuf *image = is_read && !is_giant ? gdk_pixbuf_loader_get_pixbuf(loader) : NULL;
  bool is_drawn = false;
  if (is_giant) {
    g_clear_error(&error);
    snprintf(reason, room, "larger than %d pixels a side", maximum_side);
  } else if (!image) {
    fail(reason, room, error, "no image");
  } else {
    is_drawn = draw_pixbuf(image, width, height, pixels, reason, room);
  }
  g_object_unref(loader);
  return is_drawn;
}

bool sites_draw_image(
    const uint8_t *bytes, size_t count, int width, int height, uint8_t *pixels, char *reason,
    size_t room) {
  if (count == 0) return fail(reason, room, NULL, "empty");
  return is_svg(bytes, count)
             ? draw_svg(bytes, count, width, height, pixels, reason, room)
             : draw_bitmap(bytes, count, width, height, pixels, reason, room);
}
