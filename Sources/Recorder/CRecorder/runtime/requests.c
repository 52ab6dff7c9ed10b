#include "ms_requests.h"

ms_request_place ms_requests[MS_REQUESTS];
