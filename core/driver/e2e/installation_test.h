#pragma once
// A perflab of its own in a fresh folder: the driver's program, fake labs, results. For end-to-end tests.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/test_folder.h"

namespace perflab {

struct Outcome {
  int exit_code = -1;
  std::string text;  // stdout and stderr
};

class Installation : public testing::Test {
 protected:
  Installation();

  void add_lab(const std::string& id, bool with_ceilings = false);
  void behave(const std::string& id, const std::string& behaviour);  // see fake_lab.sh
  std::string calls(const std::string& id) const;                    // one line per call: its arguments

  // Two questions, one of them the tour's: how-many (a number) and which-one (some, more). The lab's judge
  // answers them with 42.5 and some, whatever was predicted.
  void give_questions(const std::string& id);

  // On a terminal of its own: each `typed` goes in as soon as its `shown` came out, in this order. \x03 is
  // Ctrl-C, \x04 Ctrl-D.
  struct Exchange {
    std::string shown, typed;
  };
  Outcome on_terminal(const std::vector<std::string>& words, const std::vector<Exchange>& exchanges) const;
  Outcome perflab(const std::vector<std::string>& words,
                  const std::string& before = "") const;  // before: shell words
  std::vector<std::filesystem::path> runs() const;
  std::string snapshot(const std::filesystem::path& folder) const;  // every file's name and hash

  const TestFolder temporary_;
  const std::filesystem::path root_ = temporary_.path(), out_ = root_ / "results",
                              program_ = root_ / "perflab";
};

bool has(const std::string& text, const std::string& part);
int count(const std::string& text, const std::string& part);

}  // namespace perflab
