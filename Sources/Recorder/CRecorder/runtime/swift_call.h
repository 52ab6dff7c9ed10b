// The calling convention of Swift functions, for declarations in C.
#ifndef MAINSTAY_SWIFT_CALL_H
#define MAINSTAY_SWIFT_CALL_H

#define MS_SWIFT_CALL __attribute__((swiftcall))

#endif
