// The online model of a tenant: everything that is learned from claims and their answers, and the predictions from it.
//
// As-of discipline: a prediction depends only on the events that were applied before it. The same events give the same
// state, bit for bit: no clock, no randomness, no thread order. `digest` proves it.
//
// Threads: one thread applies events in the order of the journal. `predict`, `history_of` and `grades` may be called
// from any number of threads while no event is applied (core/estimators/published.hpp separates both).
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/claims/claim_history.hpp"
#include "core/estimators/amounts/patient_share.hpp"
#include "core/estimators/amounts/price.hpp"
#include "core/estimators/basics/bank_days.hpp"
#include "core/estimators/basics/box.hpp"
#include "core/estimators/basics/label.hpp"
#include "core/estimators/basics/options.hpp"
#include "core/estimators/basics/packed.hpp"
#include "core/estimators/basics/policy.hpp"
#include "core/estimators/basics/response.hpp"
#include "core/estimators/basics/submission.hpp"
#include "core/estimators/effects/blend.hpp"
#include "core/estimators/effects/calibration.hpp"
#include "core/estimators/effects/cause.hpp"
#include "core/estimators/effects/cell.hpp"
#include "core/estimators/effects/charge_step.hpp"
#include "core/estimators/effects/chart.hpp"
#include "core/estimators/effects/delay.hpp"
#include "core/estimators/effects/grade.hpp"
#include "core/estimators/effects/habit.hpp"
#include "core/estimators/effects/weights.hpp"
#include "core/estimators/prediction.hpp"

namespace tideover::estimators {

class State {
 public:
  explicit State(Options options = {});

  Prediction predict(const Submission& submission, const Policy& policy) const;
  /// What rules may read; independent of the rules that fired.
  domain::ClaimHistory history_of(const Submission& submission) const;

  /// The result of an event in one state. Another state with the same history reuses it, so that it is computed and
  /// stored once.
  class Observation;
  /// A claim was submitted to its payer. A known claim id changes nothing.
  void submitted(const Submission& submission, const Policy& policy = {}, Observation* observed = nullptr);
  void responded(const Response& response, Observation* observed = nullptr);
  /// The day is over: silent claims mature, epochs change, and due fits are made. Days come in order; some may be
  /// missing.
  void close_day(domain::Date day);

  Grades grades() const;
  Digest::Value digest() const;
  /// Claims with an answer; each correction counts again.
  std::int64_t answered_claims() const { return grades_.denial.claims(); }
  /// How often payers changed their payment days.
  std::int64_t drift_alarms() const {
    std::int64_t sum = 0;
    for (const auto& payer : payers_) sum += payer.days.drift_alarms;
    return sum;
  }
  std::size_t open_claims() const { return open_.size(); }
  std::size_t cells() const { return cells_.size(); }
  /// The approximate memory in bytes, and how much of it is shared with another state with the same history.
  struct Memory {
    std::size_t whole = 0, shared = 0;
  };
  Memory memory() const;
  const Blend& blend() const { return blend_; }

 private:
  /// The groups under which a claim is counted, per cause. Each effect is compared with the effects before it.
  enum Effect {
    kAll,
    kClass,
    kPayer,
    kBilling,
    kServicer,
    kFacility,
    kPair,
    kLineCount,
    kSeason,  // office
    kEnrolment,
    kEnrolmentAtPayer,
    kServicerEnrolled,
    kTenure,
    kPairEnrolled,
    kServicerPair,
    kPatients,
    kPatientsOfClass,
    kPatientsOfPayer,
    kPatientSeason,
    kChart,
    kChartAtPayer,
    kTiming,
    kLateness,
    kPayerLateness,
    kLookAlike,
    kDocuments,
    kDocumentsOfPayer,
    kCharge,
    kProcedures,
    kProceduresOfClass,
    kProceduresOfPayer,
    kEffects
  };
  enum LineEffect {
    kCode,
    kCodeOfClass,
    kCodeAtPayer,
    kCodeAsBilled,
    kLineEffects
  };  // as billed: with its modifiers, units and authorization

  /// P(denied for its cause) before and with an effect, and the counts when the answer came.
  struct Weighed {
    float expected = 0, estimated = 0;
    float refused = 0;  // P(a policy against the group)
    Cell::Counting counting;
  };
  struct LineReading {
    std::array<Key, kLineEffects> keys{};
    Key record = 0;  // all denials of the procedure by this payer, for any cause
    std::array<Weighed, kLineEffects> weighed{};
    double share = 0;  // of the charge
    Seen seen;         // in the answer
    CarcGroup refused_for = CarcGroup::other;
    float estimated() const { return weighed.back().estimated; }
  };
  /// The quantile of the charge, and the effect of the payer's step.
  struct StepReading {
    int position = -1;
    float expected = 0, estimated = 0;
    ChargeSteps::Counting counting;
  };
  struct RuleReading {
    FiredRule rule;
    int line = -1;      // the line that it concerns; -1: the claim
    bool major = true;  // half of the charge, or the claim
    double weight = 0;
    Weights::Hit hit;  // in the answer
  };
  /// Everything that changes a claim's probability and by how much, and the expectation for the claim before each
  /// effect.
  struct Effects {
    Week week = 0;
    Key payer = 0, record = 0;         // record: all denials of the payer, for any cause
    std::array<Key, kEffects> keys{};  // 0 = does not apply
    std::array<Weighed, kEffects> weighed{};
    std::array<Seen, kCauses> seen{};  // in the answer
    std::vector<LineReading> lines;
    std::vector<RuleReading> rules;
    StepReading step;  // the last effect of documents
    float estimated(Cause cause) const {
      return cause == Cause::documents ? step.estimated : weighed[kLastOf[static_cast<std::size_t>(cause)]].estimated;
    }
  };
  static constexpr double kAdvanceShare = 0.85;  // of the expected payment, for the grades
  static constexpr std::array<std::size_t, kCauses> kFirstOf{kAll,    kEnrolment, kPatients,
                                                             kTiming, kDocuments, kProcedures};
  static constexpr std::array<std::size_t, kCauses> kLastOf{kSeason,    kServicerPair, kChartAtPayer,
                                                            kLookAlike, kCharge,       kProceduresOfPayer};
  /// A payer's answer in the form for learning.
  struct Answer {
    bool denied = false;  // the claim
    Code code;
    struct Line {
      bool denied = false;
      Code code;
    };
    std::vector<Line> lines;  // of the submission; none: the claim had none
  };
  /// A claim as evaluated against the state.
  struct Reading : Effects {
    Key billing = 0, servicer = 0, facility = 0;
    std::uint32_t payer_index = 0;
    PricedClaim priced;
    Features features{};
    double evidence = 0;  // approximate number of claims behind the probability
    int chart_share = 0;
    bool hard = false;     // a hard rule is sure enough alone
    double base_odds = 0;  // of all payers
  };
  /// The last observation of the patient's share.
  struct LearnedShare {
    std::int64_t allowed = 0, paid = 0;  // allowed 0: nothing
    int month = 0, chart = 0;
  };
  /// What is evaluated again when the answer comes (learning uses what the state of that day does not explain), with
  /// prices.
  struct Waiting {
    Effects effects;
    std::vector<PricedLine> lines;
  };
  /// What the answer is compared with: the stated forecast of the review, otherwise the prediction of the record.
  struct Graded {
    double p_denial = 0, confidence = 0;
    std::int64_t allowed = 0, advance = 0;
    float loss = 0;  // of the advance, expected
    domain::Date payment_date;
    std::int16_t days = 0;  // until it is paid: to the date that was stated, else the median
    bool denial_predicted = false;
  };
  /// A claim as evaluated for its newest review, with the prediction of the record.
  struct Assessed {
    Key claim = 0, chart = 0;
    Key payer = 0, billing = 0, servicer = 0, facility = 0;
    std::uint32_t payer_index = 0;
    PayerClass payer_class = PayerClass::unknown;
    domain::Date submitted, serviced;
    Features features{};
    float p_denial = 0, raw_confidence = 0;
    std::int64_t amount = 0;
    domain::Date expected_date;
    int chart_share = 0;
    Graded graded;
  };
  /// A claim between its submission and its last answer.
  struct Open {
    std::shared_ptr<const Assessed> assessed;
    Packed waiting;  // its Waiting
    domain::Date applied;
    // The observed answers.
    bool answered = false, matured = false, denied = false, answered_amounts = false;
    bool pair_paid = false;           // counted as a claim that was paid to this pair of providers
    bool delay_learned = false;       // once per claim: a payment after a reversal says nothing about ordinary delays
    bool confidence_learned = false;  // likewise; what was stated is graded on a later day if its date is later
    std::uint16_t carc = 0;
    CarcGroup group = CarcGroup::other;
    std::uint32_t matured_at = 0;  // the position of its row
    Week answered_week = 0;
    ChartChange chart_change;
    LearnedShare share;
    std::int64_t graded_allowed = 0;          // of the answer that graded the amount
    std::int64_t cash = 0, cash_in_time = 0;  // in time: within the horizon
    std::optional<domain::Date> first_posted;
  };
  struct Payer {
    std::string id;
    PayerClass payer_class;
    Box<Delay> delay;
    double fitted_outcomes = -1;
    std::int32_t fitted_day = kNever;
    double quantiles = 0;  // sum of the day's payments' positions in their predicted distributions
    int outcomes_of_day = 0;
    PayerDays days{};
  };

  /// The keys under which the claim is counted; nothing is evaluated yet.
  Reading find(const Submission& submission) const;
  Key look_alike_key(const Submission& submission) const;
  Reading read(const Submission& submission) const;
  void read_lines(const Submission& submission, Reading& reading) const;
  void weigh(Effects& effects) const;
  static double spared_by_rules(const Effects& effects, int line);
  static bool is_strongest(const Effects& effects, std::size_t rule);
  class FeatureSteps;
  void fill_features(Reading& reading) const;
  Prediction predict(const Submission& submission, const Policy& policy, const Reading& reading) const;
  void explain(const Reading& reading, Prediction& prediction) const;
  void predict_money(const Submission& submission, const Reading& reading, Prediction& prediction) const;
  void predict_days(const Submission& submission, const Policy& policy, const Reading& reading,
                    Prediction& prediction) const;
  double recovery_of(const Reading& reading, const Prediction& prediction) const;

  std::uint32_t payer_index_of(const std::string& payer_id, Key key, PayerClass payer_class);
  const Delay& delay_of(std::uint32_t payer_index, PayerClass payer_class) const;
  Open* find_open(Key claim);
  static Graded graded_of(const Submission& submission, const Prediction& prediction);
  static std::int32_t judged_on(const Open& open);
  static Packed packed(const Waiting& waiting, bool answered);
  static Packed packed(const Waiting& waiting, bool answered, Observation* observed);
  static Waiting unpacked(const Packed& packed);
  static Answer answer_of(const std::vector<PricedLine>& lines, const Label& label);
  void attribute(Effects& effects, const Answer& answer) const;
  static double spared_without_rules(const Effects& effects);
  static double denied_without(const Effects& effects, const RuleReading& read, double spared);
  void keep_matured(Open& open, const MaturedClaim& matured);
  void count(Open& open, Effects& effects, const Answer& answer, domain::Date day);
  void undo(Open& open, Observation* observed);
  void keep(Open& open, Packed waiting);
  void learn_amounts(Open& open, const std::vector<PricedLine>& lines, const domain::RemittanceClaim& answer,
                     const Label& label);
  void take_back_amounts(Open& open);
  void take_back_rework(Open& open);
  void count_pair(Open& open, bool is_answer, bool is_paid);
  Open opened(const Submission& submission, const Policy& policy, Observation* observed);
  void mature(Open& open, domain::Date day);
  void drop_oldest();
  void fit_delays(domain::Date day);
  void fit_reworked();
  void fit_blend();

  Options options_;
  std::shared_ptr<const BankDays> calendar_;
  domain::Date today_;
  Week week_ = 0;
  std::int32_t month_ = -1;

  Cells cells_, silences_, recoveries_;
  ChargeSteps steps_;
  Weights weights_;
  Reasons reasons_;
  Prices prices_;
  PatientShares shares_;
  Charts charts_;
  Habits habits_;

  /// Answers to a pair of billing and servicing provider at one payer.
  struct Pair {
    std::uint32_t responses = 0, paid = 0;
  };
  /// The first day of a servicing provider in the record.
  struct Tenure {
    std::int32_t first = kNever;
  };
  Table<Pair> pairs_;
  Table<Tenure> tenures_;
  std::int32_t first_day_ = kNever;     // of the whole record: providers of that time are not new
  Table<std::uint32_t> payer_indices_;  // + 1
  std::vector<Payer> payers_;
  std::array<Delay, kPayerClasses> class_delays_;
  Delay all_delay_;
  std::array<std::array<std::uint32_t, kCalendarDays>, kPayerClasses> reworked_{};  // T of claims paid after a denial
  std::array<DayShares, kPayerClasses> reworked_by_{};

  std::deque<Open> open_;          // in order of submission
  std::size_t waiting_bytes_ = 0;  // packed size of all open claims
  std::uint64_t first_open_ = 0;   // sequence number of open_.front()
  std::uint64_t matured_until_ = 0;
  Table<std::uint64_t> open_by_claim_;                      // sequence number + 1
  std::map<std::int32_t, std::vector<std::uint64_t>> due_;  // by day: claims whose confidence can be judged then

  std::vector<MaturedClaim> matured_;  // a ring
  std::size_t next_matured_ = 0;
  std::size_t since_fit_ = 0;
  std::vector<Scored> confidences_;  // a ring: raw confidence in log odds, and whether it came true
  std::size_t next_confidence_ = 0;
  Blend blend_;
  Calibration denial_calibration_;
  // Claims of one time share season and payment run, and the score includes what was learned of delays since. So only a
  // part of the difference is corrected.
  Calibration confidence_calibration_{0.4};
  Grades grades_;
};

class State::Observation {
  friend class State;
  std::shared_ptr<const Assessed> assessed_;
  Packed waiting_;
};

}  // namespace tideover::estimators
