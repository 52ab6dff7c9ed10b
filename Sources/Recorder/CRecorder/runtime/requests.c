#include "ms_requests.h"
#include "ms_services.h"

ms_request_place ms_requests[MS_REQUESTS];

uint32_t ms_ending_services;
