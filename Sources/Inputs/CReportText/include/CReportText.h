// The search and JSON functions for reading reports.
#ifndef MAINSTAY_CREPORTTEXT_H
#define MAINSTAY_CREPORTTEXT_H

#include "ms_json.h"
#include "ms_scan.h"

#endif
