// The calling convention of Swift functions that are declared here by hand.
#ifndef MAINSTAY_SWIFT_CALL_H
#define MAINSTAY_SWIFT_CALL_H

#define MS_SWIFT_CALL __attribute__((swiftcall))

#endif
