#pragma once
// Columns of text for the terminal, and figures as a reader says them. Pure functions.

#include <string>
#include <vector>

namespace perflab {

// Lines with their columns aligned, two spaces between them; signs such as µ count as one character.
std::string aligned(const std::vector<std::vector<std::string>>& lines);

std::string three_digits(const std::string& number);  // of a CSV cell; "" stays ""

// Words broken into lines of at most `width` characters, each after `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");

}  // namespace perflab
