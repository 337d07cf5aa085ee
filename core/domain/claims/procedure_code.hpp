// Procedure codes (CPT, HCPCS Level II) and their modifiers. Syntax only; the operator loads code lists.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tideover::domain {

/// Upper case without blanks and hyphens: " 99-213" -> "99213".
std::string repair_procedure_code(std::string_view text);
/// CPT category I to III, MAAA and PLA (four digits and one of 0-9 A F M T U) or HCPCS Level II (A-V and four digits).
bool has_procedure_code_syntax(std::string_view code);
/// One to four two-character modifiers separated by `,` `:` or blanks, as "25:59"; "" for none, nullopt when malformed.
std::optional<std::string> normalise_modifiers(std::string_view text);
/// Whether a modifier ("26", "TC", "50" ...) changes what is allowed for a procedure.
bool changes_price(std::string_view modifier);

}  // namespace tideover::domain
