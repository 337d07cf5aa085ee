// Exponential and logarithm in plain arithmetic. A C library picks variants with fused multiply-add by processor, whose
// last bits differ; a replayed review must be equal byte for byte on every machine. Relative error below 1e-14 (tested
// against libm). The project compiles with -ffp-contract=off, so the compiler fuses nothing either.
#pragma once

namespace tideover::estimators {

double exponential(double x);
/// x > 0.
double logarithm(double x);

/// log(p / (1 - p)) of p held within [1e-6, 1 - 1e-6].
double log_odds(double p);
/// The p of these log odds.
double probability(double log_odds);

}  // namespace tideover::estimators
