// All of the public API.
#pragma once

#include "alnus/cost.h"
#include "alnus/differences.h"
#include "alnus/html_report.h"
#include "alnus/letters.h"
#include "alnus/matrix_table.h"
#include "alnus/query_stream.h"
#include "alnus/record_table.h"
#include "alnus/session.h"
#include "alnus/text.h"
