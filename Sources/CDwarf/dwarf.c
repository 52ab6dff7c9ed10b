#include "CDwarf.h"
