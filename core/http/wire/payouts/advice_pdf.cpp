// The advice as a printable statement (declared in advice_document.hpp), on landscape pages of US letter size. It uses
// the standard fonts of PDF, which every reader has and no file embeds: texts are Latin-1, and other characters are
// shown as "?". It never shows the account.
#include <hpdf.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "core/domain/basics/text.hpp"
#include "core/http/wire/payouts/advice_document.hpp"
#include "core/usecases/funding/book_outcome.hpp"

namespace tideover::wire {
namespace {

using domain::AdviceKind;
using domain::Money;

constexpr float kWidth = 792, kHeight = 612, kMargin = 40;
constexpr float kRowHeight = 14, kTextSize = 8, kPadding = 4;
constexpr float kFirstRow = kHeight - 168, kNextRow = kHeight - 84, kLastRow = 58;

struct Column {
  const char* title;
  float left, right;
  bool is_amount;
};
constexpr std::array<Column, 9> kColumns{{{"Claim", 40, 186, false},
                                          {"Kind", 186, 268, false},
                                          {"Payer", 268, 356, false},
                                          {"Effective", 356, 404, false},
                                          {"Payer payment", 404, 474, true},
                                          {"Advance", 474, 542, true},
                                          {"Fee", 542, 594, true},
                                          {"Adjustment", 594, 668, true},
                                          {"Amount", 668, 752, true}}};

const char* label_of(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::advanced_claim:
      return "Advanced claim";
    case AdviceKind::claim:
      return "Claim";
    case AdviceKind::provider_adjustment:
      return "Provider adjustment";
    case AdviceKind::settlement_payout:
      return "Payout of a claim";
    case AdviceKind::returned_payout:
      return "Returned payout";
    case AdviceKind::carried_forward:
      return "Carried forward";
    case AdviceKind::recourse:
      return "Reserve or recourse";
    case AdviceKind::other:
      return "Other";
  }
  return "Other";
}

/// "1234567.80" as "1,234,567.80".
std::string grouped(Money amount) {
  auto text = format_money(amount);
  const std::size_t first = text.front() == '-' ? 1 : 0;
  for (auto at = text.find('.'); at > first + 3;) text.insert(at -= 3, ",");
  return text;
}

/// What is not part of a line stays blank.
std::string part(Money amount) {
  return amount.is_zero() ? "" : grouped(amount);
}

/// Latin-1, in which the standard fonts are encoded.
std::string latin1(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto length = domain::utf8_length(text);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (length == 1 && byte(0) >= ' ' && byte(0) != 0x7f)
      out += text.front();
    else if (length == 2 && byte(0) <= 0xc3 && (byte(0) & 3) * 64 + (byte(1) & 63) >= 0xa0)
      out += static_cast<char>((byte(0) & 3) * 64 + (byte(1) & 63));
    else
      out += '?';
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

class PdfAdvice final : public AdviceDocument {
 public:
  explicit PdfAdvice(const AdviceHead& head) : head_(head), pdf_(HPDF_New(nullptr, nullptr)) {
    if (pdf_ == nullptr) throw std::runtime_error("no memory for a PDF");
    HPDF_SetCompressionMode(pdf_, HPDF_COMP_ALL);
    HPDF_SetInfoAttr(pdf_, HPDF_INFO_TITLE, ("Remittance advice " + head.payout.id.text()).c_str());
    regular_ = HPDF_GetFont(pdf_, "Helvetica", "WinAnsiEncoding");
    bold_ = HPDF_GetFont(pdf_, "Helvetica-Bold", "WinAnsiEncoding");
    begin_page();
  }
  ~PdfAdvice() override { HPDF_Free(pdf_); }
  PdfAdvice(const PdfAdvice&) = delete;
  PdfAdvice& operator=(const PdfAdvice&) = delete;

  void add(const domain::AdviceLine& line) override {
    if (row_ < kLastRow) begin_page();
    const auto& claim = line.claim_identifier.empty() ? line.reference : line.claim_identifier;
    put_row(regular_, {claim, label_of(line.kind), line.payer_id, format_date(line.effective), part(line.payer_payment),
                       part(-line.advance_recovered), part(-line.fee), part(line.adjustment), grouped(line.amount())});
    totals_.add(line);
    ++lines_;
  }

  std::string finish() override {
    // Below the last row of a page there is space for the totals.
    rule(row_ + kRowHeight - kPadding);
    put_row(bold_, {"Total", std::to_string(lines_) + (lines_ == 1 ? " line" : " lines"), "", "",
                    grouped(totals_.payer_payment), grouped(-totals_.advance_recovered), grouped(-totals_.fee),
                    grouped(totals_.adjustment), grouped(totals_.amount)});
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      page_ = pages_[i];
      put(regular_, kTextSize, kMargin, 30, "Payout " + head_.payout.id.text());
      const auto number = "Page " + std::to_string(i + 1) + " of " + std::to_string(pages_.size());
      put_right(regular_, kTextSize, kWidth - kMargin, 30, number);
    }
    HPDF_SaveToStream(pdf_);
    std::string text(HPDF_GetStreamSize(pdf_), '\0');
    auto size = static_cast<HPDF_UINT32>(text.size());
    HPDF_ReadFromStream(pdf_, reinterpret_cast<HPDF_BYTE*>(text.data()), &size);
    // The library keeps its first error, and does nothing after it. Reading to the end is none.
    if (const auto error = HPDF_GetError(pdf_); error != HPDF_OK && error != HPDF_STREAM_EOF)
      throw std::runtime_error("libharu cannot write the PDF: error " + std::to_string(error));
    text.resize(size);
    return text;
  }

 private:
  void begin_page() {
    page_ = HPDF_AddPage(pdf_);
    pages_.push_back(page_);
    HPDF_Page_SetSize(page_, HPDF_PAGE_SIZE_LETTER, HPDF_PAGE_LANDSCAPE);
    HPDF_Page_SetLineWidth(page_, 0.5F);
    put(bold_, 14, kMargin, kHeight - 50, "Remittance advice");
    put_right(regular_, 10, kWidth - kMargin, kHeight - 50, head_.payer.name);
    if (pages_.size() == 1) put_head();
    row_ = pages_.size() == 1 ? kFirstRow : kNextRow;
    for (const auto& column : kColumns) {
      if (column.is_amount)
        put_right(bold_, kTextSize, column.right - kPadding, row_, column.title);
      else
        put(bold_, kTextSize, column.left, row_, column.title);
    }
    rule(row_ - kPadding);
    row_ -= kRowHeight;
  }

  void put_head() {
    const auto& payout = head_.payout;
    const auto status = std::string(name_of(usecases::funding_status_of(payout.state)));
    const std::array<std::array<std::string, 2>, 6> fields{
        {{"Practice (NPI)", payout.subject.payee_npi},
         {"Amount", "USD " + grouped(payout.amount)},
         {"Payout", payout.id.text()},
         {"Effective date", format_date(payout.effective_date)},
         {"Rail", payout.rail + (head_.is_simulated ? " (simulated: no money moves)" : "")},
         {"Status",
          status + (payout.state == domain::AttemptState::returned ? ": the bank sent the money back" : "")}}};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const float left = i % 2 == 0 ? kMargin : kWidth / 2, y = kHeight - 82 - 18 * static_cast<float>(i / 2);
      put(regular_, 9, left, y, fields[i][0]);
      put(bold_, 9, left + 84, y, fields[i][1]);
    }
  }

  void put_row(HPDF_Font font, const std::array<std::string, 9>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& column = kColumns[i];
      if (column.is_amount)
        put_right(font, kTextSize, column.right - kPadding, row_, cells[i]);
      else
        put(font, kTextSize, column.left, row_, cells[i], column.right - column.left - kPadding);
    }
    row_ -= kRowHeight;
  }

  /// Cuts the text that is wider than `width`. Zero: any width.
  void put(HPDF_Font font, float size, float x, float y, const std::string& text, float width = 0) {
    auto shown = latin1(text);
    HPDF_Page_SetFontAndSize(page_, font, size);
    if (width > 0 && HPDF_Page_TextWidth(page_, shown.c_str()) > width) {
      while (!shown.empty() && HPDF_Page_TextWidth(page_, (shown + "...").c_str()) > width) shown.pop_back();
      shown += "...";
    }
    show(x, y, shown);
  }
  void put_right(HPDF_Font font, float size, float right, float y, const std::string& text) {
    const auto shown = latin1(text);
    HPDF_Page_SetFontAndSize(page_, font, size);
    show(right - HPDF_Page_TextWidth(page_, shown.c_str()), y, shown);
  }
  void show(float x, float y, const std::string& text) {
    HPDF_Page_BeginText(page_);
    HPDF_Page_TextOut(page_, x, y, text.c_str());
    HPDF_Page_EndText(page_);
  }
  void rule(float y) {
    HPDF_Page_MoveTo(page_, kMargin, y);
    HPDF_Page_LineTo(page_, kWidth - kMargin, y);
    HPDF_Page_Stroke(page_);
  }

  const AdviceHead head_;
  HPDF_Doc pdf_;
  HPDF_Font regular_ = nullptr, bold_ = nullptr;
  HPDF_Page page_ = nullptr;
  std::vector<HPDF_Page> pages_;
  float row_ = 0;
  domain::AdviceTotals totals_;
  std::size_t lines_ = 0;
};

}  // namespace

std::unique_ptr<AdviceDocument> pdf_advice(const AdviceHead& head) {
  return std::make_unique<PdfAdvice>(head);
}

}  // namespace tideover::wire
