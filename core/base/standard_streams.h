#pragma once
// standard_streams — that descriptors 0, 1 and 2 are taken, at the beginning of every main.
//
// Whoever starts a program with one of them closed (>&-, some daemons) gives that number to the next file it
// opens: a line of progress would be written into samples.csv.

namespace perflab {

void fill_standard_streams();  // /dev/null for those that are closed

}  // namespace perflab
