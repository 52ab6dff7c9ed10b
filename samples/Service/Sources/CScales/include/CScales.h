// The driver of a pair of scales, as such drivers are.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// The weight of the empty pan at a port.
int scales_tare(int port);
// The weight on the pan, from memory that is shared with the device.
int scales_read(void);
// Makes the table of steps anew.
int scales_calibrate(void);
// Weighs so many grams.
int scales_weigh(int grams);
// Opens a port.
int scales_connect(int port);
// Sets the device back.
int scales_reset(int port);
// Gives up the right to make device files, and makes one.
int scales_lock(void);
// Reads the last weights from a file.
int scales_history(void);
// Prints a label of a length.
int scales_label(int length);

#ifdef __cplusplus
}
#endif
