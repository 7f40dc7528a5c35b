#include "bench/csv.h"

#include <algorithm>

#include "base/check.h"

namespace perflab {
namespace {

// Where the first byte stands that is no UTF-8; the size of the text if there is none.
std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t extra = lead < 0x80                   ? 0
                              : lead >= 0xC2 && lead < 0xE0 ? 1
                              : lead >= 0xE0 && lead < 0xF0 ? 2
                              : lead >= 0xF0 && lead < 0xF5 ? 3
                                                            : 4;
    if (extra == 4 || i + extra >= text.size()) return i;
    for (std::size_t k = 1; k <= extra; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return i;
    i += extra + 1;
  }
  return text.size();
}

// Walks the text once; knows line and byte of where it stands, for messages.
class Reader {
 public:
  Reader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  bool done() const { return at_ >= text_.size(); }

  // As record(), and its bytes are UTF-8.
  bool utf8_record(std::vector<std::string>& fields) {
    const std::size_t begin = at_, line = line_;
    if (!record(fields)) return false;
    const std::string_view bytes = text_.substr(begin, at_ - begin);
    const std::size_t invalid = first_invalid_utf8(bytes);
    if (invalid == bytes.size()) return true;
    line_ = line + std::size_t(std::count(bytes.begin(), bytes.begin() + std::ptrdiff_t(invalid), '\n'));
    at_ = begin + invalid;
    broken("not UTF-8");
  }

  // One record. False if the text ends before the record's LF: the record is then worthless.
  bool record(std::vector<std::string>& fields) {
    fields.clear();
    while (true) {
      std::string field;
      if (!done() && text_[at_] == '"') {
        if (!quoted(field)) return false;
      } else {
        while (!done() && text_[at_] != ',' && text_[at_] != '\n') plain(field);
      }
      fields.push_back(std::move(field));
      if (done()) return false;
      const char separator = text_[at_];
      if (separator != ',' && separator != '\n') broken("text after a closing quote");
      ++at_;
      if (separator == '\n') {
        ++line_;
        return true;
      }
    }
  }

  [[noreturn]] void broken(std::string_view what) const {
    fail(ErrorKind::data, "{}: line {}, byte {}: {}", source_, line_, at_, what);
  }
  std::size_t line() const { return line_; }

 private:
  void plain(std::string& field) {
    const char c = text_[at_];
    if (c == '"') broken("a quote inside an unquoted field");
    if (c == '\r') broken("a carriage return; want lines that end in LF alone");
    if (c == '\0') broken("a zero byte");
    field += c;
    ++at_;
  }

  bool quoted(std::string& field) {
    ++at_;
    while (!done()) {
      const char c = text_[at_++];
      if (c == '"') {
        if (done() || text_[at_] != '"') return true;
        ++at_;
      }
      if (c == '\n') ++line_;
      field += c;
    }
    return false;
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) fail(ErrorKind::data, "{}: no column '{}'", source, name);
  return std::size_t(found - header.begin());
}

bool CsvTable::has(std::string_view name) const {
  return std::find(header.begin(), header.end(), name) != header.end();
}

const std::string& CsvTable::at(std::size_t row, std::string_view name) const {
  return rows.at(row)[column(name)];
}

CsvTable parse_csv(std::string_view text, std::string source) {
  CsvTable table;
  table.source = std::move(source);
  if (text.starts_with("\xEF\xBB\xBF"))
    fail(ErrorKind::data, "{}: starts with a byte-order mark; want plain UTF-8", table.source);
  Reader reader(text, table.source);
  if (!reader.utf8_record(table.header)) fail(ErrorKind::data, "{}: no complete header line", table.source);
  std::vector<std::string> sorted = table.header;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    fail(ErrorKind::data, "{}: column '{}' stands twice in the header", table.source, *twice);

  std::vector<std::string> fields;
  while (!reader.done()) {
    const std::size_t line = reader.line();
    if (!reader.utf8_record(fields)) {
      table.partial = true;
      break;
    }
    if (fields.size() != table.header.size())
      fail(ErrorKind::data, "{}: line {}: {} fields; want {} as in the header", table.source, line,
           fields.size(), table.header.size());
    table.rows.push_back(fields);
  }
  return table;
}

CsvTable read_csv(const std::filesystem::path& path) { return parse_csv(read_file(path), path.string()); }

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    const std::string& field = fields[i];
    // A lone empty field is quoted, so that a one-column row is never an empty line.
    if (field.find_first_of(",\"\n\r") == std::string::npos && !(field.empty() && fields.size() == 1)) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + '\n';
}

namespace {

// Prepares NAME.part for appending: cuts an unterminated last line, checks the header. True if it holds a
// header already.
bool continue_part(const std::filesystem::path& final_path, const std::vector<std::string>& header) {
  std::filesystem::path part = final_path;
  part += ".part";
  std::error_code error;
  if (!std::filesystem::is_regular_file(part, error)) return false;
  const std::string text = read_file(part);
  std::size_t whole = text.rfind('\n') + 1;  // npos + 1 == 0: no whole line at all
  if (whole == 0) {
    std::filesystem::resize_file(part, 0);
    return false;
  }
  const CsvTable table = parse_csv(text, part.string());
  if (table.header != header)
    fail(ErrorKind::data,
         "{}: its header differs from what this build writes; finish it with the build that began it",
         part.string());
  if (table.partial) {  // cut after the last complete record, which a newline inside quotes may precede
    std::size_t kept = csv_line(table.header).size();
    for (const auto& row : table.rows) kept += csv_line(row).size();
    whole = kept;
  }
  std::filesystem::resize_file(part, whole, error);
  if (error) fail(ErrorKind::io, "cannot shorten '{}': {}", part.string(), error.message());
  return true;
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& final_path, std::vector<std::string> header)
    : header_(std::move(header)), file_([&] {
        const bool has_header = continue_part(final_path, header_);
        AppendFile file(final_path);
        if (!has_header) file.append(csv_line(header_));
        return file;
      }()) {
  file_.flush();
}

void CsvWriter::row(const std::vector<std::string>& fields) {
  PL_CHECK(fields.size() == header_.size(), "csv row: {} fields; want {} as in the header", fields.size(),
           header_.size());
  file_.append(csv_line(fields));
}

void CsvWriter::flush() { file_.flush(); }
void CsvWriter::finish() { file_.finish(); }

}  // namespace perflab
