// Everything that is learned, online, from claims and their answers, and what it says of a claim under review.
//
// One thread applies events in the order of the journal; `predict`, `history_of` and `grades` may be called from any
// number of threads while nobody applies (core/estimators/published.hpp keeps both apart). As-of discipline: a
// prediction knows what was applied before it and nothing else. The same events give the same state, bit for bit: no
// clock, no randomness, no order of threads; `digest` proves it.
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
#include "core/estimators/effects/patient_share.hpp"
#include "core/estimators/effects/price.hpp"
#include "core/estimators/effects/weights.hpp"
#include "core/estimators/prediction.hpp"

namespace tideover::estimators {

class State {
 public:
  explicit State(Options options = {});

  Prediction predict(const Submission& submission, const Policy& policy) const;
  /// What rules may read; does not depend on the rules that fired.
  domain::ClaimHistory history_of(const Submission& submission) const;

  /// What a state made of an event. Another that has observed the same so far takes it over: what both know alike is
  /// worked out and kept once.
  class Observation;
  /// A claim went to its payer. A claim id that is known already changes nothing.
  void submitted(const Submission& submission, const Policy& policy = {}, Observation* observed = nullptr);
  void responded(const Response& response, Observation* observed = nullptr);
  /// The day is over: silent claims mature, epochs turn, what is due is fitted anew. Days come in order; some may be
  /// missing.
  void close_day(domain::Date day);

  Grades grades() const;
  Digest::Value digest() const;
  /// Claims that have an answer, each correction of one counting anew.
  std::int64_t answered_claims() const { return grades_.denial.claims(); }
  /// How often a payer was seen to change its days.
  std::int64_t drift_alarms() const {
    std::int64_t sum = 0;
    for (const auto& payer : payers_) sum += payer.days.drift_alarms;
    return sum;
  }
  std::size_t open_claims() const { return open_.size(); }
  /// Answers that the blend is fitted to.
  std::size_t matured_claims() const;
  std::size_t cells() const { return cells_.size(); }
  /// About the memory that all of it takes, in bytes; of that what is shared with another state that was told the same
  /// with it.
  struct Memory {
    std::size_t whole = 0, shared = 0;
  };
  Memory memory() const;
  const Blend& blend() const { return blend_; }

 private:
  /// What a claim, its payer and so on are counted under, cause by cause; each effect is held against the ones before
  /// it.
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

  /// P(denied for its cause) before and with an effect; and what was counted for it when the answer came.
  struct Weighed {
    float expected = 0, told = 0;
    float refused = 0;  // P(refused as a rule)
    Cell::Counting counting;
  };
  struct LineReading {
    std::array<Key, kLineEffects> keys{};
    Key record = 0;  // all that this payer denied of the procedure, whatever the cause
    std::array<Weighed, kLineEffects> weighed{};
    double share = 0;  // of the charge
    Seen seen;         // in the answer
    CarcGroup refused_for = CarcGroup::other;
    float told() const { return weighed.back().told; }
  };
  /// Where the charge lies, and what the payer's step makes of it.
  struct StepReading {
    int place = -1;
    float expected = 0, told = 0;
    ChargeSteps::Counting counting;
  };
  struct RuleReading {
    FiredRule rule;
    int line = -1;      // that it concerns; -1: the claim
    bool major = true;  // half of the charge, or the claim
    double weight = 0;
    Weights::Hit hit;  // in the answer
  };
  /// Everything that moves a claim's probability, by how much, and what to expect of the claim before each of them.
  struct Effects {
    Week week = 0;
    Key payer = 0, record = 0;         // record: all that the payer denied, whatever the cause
    std::array<Key, kEffects> keys{};  // 0 = does not apply
    std::array<Weighed, kEffects> weighed{};
    std::array<Seen, kCauses> seen{};  // in the answer
    std::vector<LineReading> lines;
    std::vector<RuleReading> rules;
    StepReading step;  // the last effect of documents
    float told(Cause cause) const {
      return cause == Cause::documents ? step.told : weighed[kLastOf[static_cast<std::size_t>(cause)]].told;
    }
  };
  static constexpr double kAdvanceShare = 0.85;  // of what is expected: for the grades
  static constexpr std::array<std::size_t, kCauses> kFirstOf{kAll,    kEnrolment, kPatients,
                                                             kTiming, kDocuments, kProcedures};
  static constexpr std::array<std::size_t, kCauses> kLastOf{kSeason,    kServicerPair, kChartAtPayer,
                                                            kLookAlike, kCharge,       kProceduresOfPayer};
  /// What a payer answered, as it is learned from.
  struct Answer {
    bool denied = false;  // the claim
    Code code;
    struct Line {
      bool denied = false;
      Code code;
    };
    std::vector<Line> lines;  // of the submission; none: the claim had none
  };
  /// A claim, read against the state.
  struct Reading : Effects {
    Key billing = 0, servicer = 0, facility = 0;
    std::uint32_t payer_index = 0;
    PricedClaim priced;
    Features features{};
    double evidence = 0;  // claims that the probability rests on, roughly
    int chart_share = 0;
    bool hard = false;     // a hard rule is sure enough alone
    double base_odds = 0;  // of all payers
  };
  /// What was last learned of the patient's share.
  struct LearnedShare {
    std::int64_t allowed = 0, paid = 0;  // allowed 0: nothing
    int month = 0, chart = 0;
  };
  /// What is weighed anew when the answer comes - what is learned from it is what the state of that day does not
  /// explain - and priced.
  struct Waiting {
    Effects effects;
    std::vector<PricedLine> lines;
  };
  /// What is held against the answer: what the review stated, else what the record tells.
  struct Graded {
    double p_denial = 0, confidence = 0;
    std::int64_t allowed = 0, advance = 0;
    float loss = 0;  // of the advance, expected
    domain::Date payment_date;
    std::int16_t days = 0;  // until it is paid: to the date that was stated, else the median
    bool denial_predicted = false;
  };
  /// A claim as it was read for its newest review, and what the record told of it then.
  struct Told {
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
  /// A claim between its submission and its last word.
  struct Open {
    std::shared_ptr<const Told> told;
    Packed waiting;  // its Waiting
    domain::Date applied;
    // What came.
    bool answered = false, matured = false, denied = false, answered_amounts = false;
    bool pair_paid = false;           // counted as a claim that was paid to this pair of providers
    bool delay_learned = false;       // once a claim: what is paid anew after a reversal says nothing of ordinary days
    bool confidence_learned = false;  // likewise; what was stated is graded on a later day if its date is later
    std::uint16_t carc = 0;
    CarcGroup group = CarcGroup::other;
    std::uint32_t matured_at = 0;  // where its row was put
    Week answered_week = 0;
    ChartChange chart_change;
    LearnedShare share;
    std::int64_t graded_allowed = 0;          // of the answer that the amount was graded by
    std::int64_t cash = 0, cash_in_time = 0;  // in time: within the horizon
    std::optional<domain::Date> first_posted;
  };
  struct Payer {
    std::string id;
    PayerClass payer_class;
    Box<Delay> delay;
    double fitted_outcomes = -1;
    std::int32_t fitted_day = kNever;
    double places = 0;  // of the day's payments in what was predicted
    int placed = 0;
    PayerDays days{};
  };

  /// What the claim is counted under; nothing is weighed yet.
  Reading find(const Submission& submission) const;
  Reading read(const Submission& submission) const;
  void read_lines(const Submission& submission, Reading& reading) const;
  void weigh(Effects& effects) const;
  static double spared_by_rules(const Effects& effects, int line);
  static bool is_strongest(const Effects& effects, std::size_t rule);
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
  static Graded graded_of(const Submission& submission, const Prediction& told);
  static std::int32_t judged_on(const Open& open);
  static Packed packed(const Waiting& waiting, bool answered);
  static Packed packed(const Waiting& waiting, bool answered, Observation* observed);
  static Waiting unpacked(const Packed& packed);
  static Answer answer_of(const std::vector<PricedLine>& lines, const Label& label);
  void attribute(Effects& effects, const Answer& answer) const;
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

  /// Answers to billing and servicing provider together at one payer.
  struct Pair {
    std::uint32_t responses = 0, paid = 0;
  };
  /// A servicing provider since when.
  struct Tenure {
    std::int32_t first = kNever;
  };
  Table<Pair> pairs_;
  Table<Tenure> tenures_;
  std::int32_t first_day_ = kNever;     // of the whole record: who was there from the start is not new
  Table<std::uint32_t> payer_indices_;  // + 1
  std::vector<Payer> payers_;
  std::array<Delay, kPayerClasses> class_delays_;
  Delay all_delay_;
  std::array<std::array<std::uint32_t, kCalendarDays>, kPayerClasses> reworked_{};  // T of claims paid after a denial
  std::array<DayShares, kPayerClasses> reworked_by_{};

  std::deque<Open> open_;          // in order of submission
  std::size_t waiting_bytes_ = 0;  // of what they wait with
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
  // Days come about together, by season and payment run; and what delays have learned since is in the score already.
  Calibration confidence_calibration_{0.4};
  Grades grades_;
};

class State::Observation {
  friend class State;
  std::shared_ptr<const Told> told_;
  Packed waiting_;
};

}  // namespace tideover::estimators
