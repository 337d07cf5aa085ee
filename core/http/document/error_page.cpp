#include "core/http/document/error_page.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace tideover::http {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tideover API: error codes</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #ddd; }
tr:target { background: #fff4cc; }
code { font-family: ui-monospace, monospace; }
</style>
</head>
<body>
<h1>Error codes</h1>
<p>Branch on <code>error</code>. <code>details.fields</code> names the faulty fields of a 400.
The <a href="/docs">reference</a> has the errors of each operation, the
<a href="/docs/guides/errors-and-retries">guide</a> says how to handle them.</p>
<table>
<thead><tr><th>Status</th><th>Error</th><th>Meaning</th><th>Retry</th></tr></thead>
<tbody>
)";
constexpr std::string_view kEnd = "</tbody>\n</table>\n</body>\n</html>\n";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  line.remove_prefix(1);  // the leading bar
  while (!line.empty()) {
    const auto end = line.find('|');
    if (end == std::string_view::npos) break;
    cells.push_back(trimmed(line.substr(0, end)));
    line.remove_prefix(end + 1);
  }
  return cells;
}

/// HTML of a line of Markdown whose only marks are code spans.
std::string html_of(std::string_view markdown) {
  std::string html;
  bool is_code = false;
  for (const char c : markdown) {
    if (c == '`') {
      html += is_code ? "</code>" : "<code>";
      is_code = !is_code;
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else {
      html += c;
    }
  }
  return html;
}

/// The names in the code spans of a cell.
std::vector<std::string> codes_in(std::string_view cell) {
  std::vector<std::string> codes;
  for (auto begin = cell.find('`'); begin != std::string_view::npos; begin = cell.find('`', begin)) {
    const auto end = cell.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    codes.emplace_back(cell.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return codes;
}

void put_row(std::string& page, std::string_view status, const std::string& code, std::string_view meaning,
             bool is_retryable) {
  page += "<tr id=\"" + code + "\"><td>" + std::string(status) + "</td><td><code>" + code + "</code></td><td>" +
          html_of(meaning) + "</td><td>" + (is_retryable ? "yes" : "no") + "</td></tr>\n";
}

}  // namespace

std::string error_page_of(std::string_view description, const std::function<bool(std::string_view)>& is_retryable) {
  std::string page(kHead);
  std::istringstream lines{std::string(description)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    const auto cells = cells_of(line);
    const bool is_status = cells.size() == 3 && cells[0].size() == 3 &&
                           std::all_of(cells[0].begin(), cells[0].end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_status) continue;
    for (const auto& code : codes_in(cells[1])) put_row(page, cells[0], code, cells[2], is_retryable(code));
  }
  return page.append(kEnd);
}

}  // namespace tideover::http
