#pragma once
// Lab flags — what follows -- on the command line of `run`, held against the labs that are to take it.
//
// Only a lab's program knows its flags, so it is asked (LAB --check) before a folder is made.

#include "driver/campaign.h"

namespace perflab {

// Error(usage) for a flag that is the driver's own to give, or that a lab refuses; the lab has then said why.
void check_lab_flags(const CampaignRequest& request);

// A line on stderr for each flag that changes nothing in this run.
void note_idle_flags(const CampaignRequest& request);

}  // namespace perflab
