#include "CBreadcrumbLog.h"
