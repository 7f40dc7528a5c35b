#pragma once
// driver_main — perflab's verbs: list, run, plot, report. Returns the exit code.

namespace perflab {

int driver_main(int argc, char** argv);

}  // namespace perflab
