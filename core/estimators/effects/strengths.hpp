// How strongly each group of claims is shrunk towards its expectation, in denials, in the order of State's effects; and
// the share of its kind with a policy against the group.
#pragma once
#include <array>

#include "core/estimators/effects/cell.hpp"

namespace tideover::estimators {

inline constexpr std::array<Strength, 31> kEffectStrength{{
    {2, 40},         // office: all
    {3, 30},         // class
    {6, 10},         // payer
    {1.3, 8},        // billing provider
    {2, 10},         // servicing provider
    {6, 10},         // facility
    {4, 10, 0.01},   // billing provider at payer
    {20, 40},        // number of lines
    {20, 40},        // season
    {2, 40},         // enrolment: all
    {4, 15},         // payer
    {5, 10, 0.005},  // servicing provider
    {2, 20},         // how long the servicing provider is known
    {4, 10, 0.01},   // billing provider at payer
    {4, 10, 0.01},   // servicing provider at payer
    {2, 40},         // patients: all
    {3, 30},         // class
    {6, 12},         // payer
    {15, 40},        // season
    {1, 20},         // chart's last answer
    {4, 20, 0.001},  // chart at payer
    {2, 20},         // timing: all
    {1, 20},         // lateness
    {3, 15},         // lateness at this payer
    {1, 20},         // look-alike
    {2, 40},         // documents: all
    {4, 15},         // payer
    {3, 40},         // charge
    {2, 40},         // procedures: all
    {3, 30},         // class
    {5, 10},         // payer
}};
inline constexpr std::array<Strength, 4> kLineStrength{{
    {3, 10},         // procedure
    {5, 10, 0.015},  // procedure at payers of this class with few claims of it: small payers follow common policies
    {5, 8, 0.02},    // procedure at this payer
    {6, 8, 0.01},    // as billed
}};
inline constexpr double kFewTell =
    2;  // claims after which a narrower group is worth a quarter as evidence about a policy of the wider one

inline constexpr Strength kSilenceStrength{0.6, 4};
inline constexpr Strength kRecoveryStrength{12, 80};

}  // namespace tideover::estimators
