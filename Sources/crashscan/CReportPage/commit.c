#include "CReportPage.h"

#define QUOTED(token) #token
#define TEXT_OF(token) QUOTED(token)

const char *crashscan_commit(void) {
#ifdef MAINSTAY_COMMIT
  return TEXT_OF(MAINSTAY_COMMIT);
#else
  return NULL;
#endif
}
