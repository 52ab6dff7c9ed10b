// Draws an encoded image into pixels: SVG by librsvg, PNG, JPEG and others by gdk-pixbuf.

#ifndef SITES_IMAGES_H
#define SITES_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Draws the image in `bytes` as large as fits, centred, into `width` times `height` pixels of RGBA.
///
/// The colours are not multiplied by alpha. Nothing but `bytes` is read: an SVG that refers to a file
/// or an address does without it. Says in `reason` (never longer than `room`) why it is not drawn.
bool sites_draw_image(
    const uint8_t *bytes, size_t count, int width, int height, uint8_t *pixels, char *reason,
    size_t room);

#endif
