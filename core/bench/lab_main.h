#pragma once
// lab_main — what every lab's program does: parse the command line, describe, measure or judge; returns the
// exit code.

namespace perflab {

int lab_main(int argc, char** argv, const char* lab_id);

}  // namespace perflab
