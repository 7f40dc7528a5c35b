#pragma once
// standard_streams — that descriptors 0, 1 and 2 are taken, at the beginning of every main.
//
// Whoever starts a program with one of them closed (>&-, some daemons) gives that number to the next file it
// opens: a line of progress would be written into samples.csv.

namespace perflab {

void fill_standard_streams();  // /dev/null for those that are closed

// From here on printing never throws and never ends a measurement: a write that fails (a full disk, a reader
// that went away) is remembered. Main thread.
void keep_printing();

// At the end of main: `code`, or exit_codes::io if something that was printed is lost. A reader that went
// away
// (| head) wanted no more: nothing is lost then.
int after_printing(int code);

}  // namespace perflab
