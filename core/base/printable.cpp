#include "base/printable.h"

namespace perflab {

std::string printable(std::string_view text, std::string_view kept) {
  std::string clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    const bool two_bytes = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // UTF-8 of U+0080 to U+009F
    const bool control = (byte < 0x20 || byte == 0x7F) && kept.find(text[i]) == std::string_view::npos;
    clean += control || two_bytes ? '?' : text[i];
    i += two_bytes;
  }
  return clean;
}

}  // namespace perflab
