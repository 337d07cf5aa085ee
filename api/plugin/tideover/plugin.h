/* The C ABI between Tideover (the host) and a plugin. A plugin is one shared library that exports one constant,
 * `tideover_plugin`, of type tideover_plugin_descriptor. Guide and reference: api/docs/plugins.
 *
 * Rules for both sides
 *   - Versions. Within a major version the ABI only grows: fields and functions are added at the end, enum values are
 *     added. A struct that can grow begins with `size`, set by its creator to its own sizeof. A reader never reads
 *     behind that size. tideover_str, tideover_date, tideover_pair, the two lists and tideover_config_key never grow.
 *   - Enums. Every enum reserves 0, so that uninitialized memory has no meaning.
 *   - Errors. No exception, no FILE* and no C++ type crosses the ABI. A function that can fail returns a
 *     tideover_status and reports the cause with call->report. A failed call has no other effect on its caller.
 *   - Memory. Each side frees what it allocated. Strings, structs, sinks and sources are lent until the call returns;
 *     the other side copies what it keeps. Only an instance and a reader live longer: until destroy and close.
 *   - Units. Money is int64 minor units (cents) of the currency beside it. Instants are UTC milliseconds since 1970.
 *     Days are calendar dates without a time zone. Text is UTF-8 without NUL.
 *   - Time. Every call has a budget in milliseconds. The host measures it with a monotonic clock from the start of the
 *     call. A call that exceeds it is abandoned or counted as a fault.
 *   - Threads. Each function has a tag. [once]: one thread, before or after all other calls. [any]: many threads at the
 *     same time on one instance. [one]: one thread at a time per reader.
 * This header compiles as C11 and as C++17. */
#ifndef TIDEOVER_PLUGIN_H
#define TIDEOVER_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TIDEOVER_MAGIC UINT32_C(0x54444F56) /* "TDOV" */
#define TIDEOVER_ABI_MAJOR 1
#define TIDEOVER_ABI_MINOR 7
#define TIDEOVER_PLUGIN_SYMBOL "tideover_plugin"

#if defined(__GNUC__) || defined(__clang__)
#define TIDEOVER_EXPORT __attribute__((visibility("default")))
#else
#define TIDEOVER_EXPORT
#endif

/* ---- values ----------------------------------------------------------------------------------------------------- */

typedef struct tideover_str {
  const char* ptr; /* not NUL-terminated; may be NULL when len is 0 */
  size_t len;
} tideover_str;
#define TIDEOVER_STR(literal) {(literal), sizeof(literal) - 1}

typedef struct tideover_str_list {
  const tideover_str* items;
  size_t count;
} tideover_str_list;

typedef struct tideover_pair {
  tideover_str key;
  tideover_str value;
} tideover_pair;

typedef struct tideover_pair_list {
  const tideover_pair* items;
  size_t count;
} tideover_pair_list;

/* 1900-01-01 to 2199-12-31. All fields zero: no date. */
typedef struct tideover_date {
  int32_t year;
  int32_t month; /* 1..12 */
  int32_t day;   /* 1..31 */
} tideover_date;

/* Whether the other side's struct contains `field`. Check this before reading a field of a later minor version. */
#define TIDEOVER_HAS(type, lent, field) ((lent)->size >= offsetof(type, field) + sizeof(((const type*)0)->field))

#define TIDEOVER_NO_TIME INT64_MIN   /* an instant that is absent */
#define TIDEOVER_NO_AMOUNT INT64_MIN /* an amount that is absent */

/* ---- the call --------------------------------------------------------------------------------------------------- */

/* Enums are passed as int32_t, so that values of a later minor version can be represented. */
typedef int32_t tideover_status;
enum {
  TIDEOVER_OK = 1,
  TIDEOVER_NOT_FOUND = 2, /* no such object; a valid answer, not a fault */
  TIDEOVER_END = 3,       /* no further element */
  TIDEOVER_FAILED = 4     /* call->report gave the cause */
};

typedef int32_t tideover_fault_code;
enum {
  TIDEOVER_FAULT_INTERNAL = 1,
  TIDEOVER_FAULT_INVALID_CONFIG = 2,  /* from create only */
  TIDEOVER_FAULT_INVALID_INPUT = 3,   /* the file or argument is not what this plugin reads */
  TIDEOVER_FAULT_INVALID_MAPPING = 4, /* import: the mapping names what does not exist */
  TIDEOVER_FAULT_INVALID_DATE = 5,    /* rail: the date cannot be served */
  TIDEOVER_FAULT_UNAVAILABLE = 6,     /* the system behind the plugin does not answer; try again later */
  TIDEOVER_FAULT_DEADLINE = 7,        /* stopped because the budget was used up */
  TIDEOVER_FAULT_LIMIT = 8            /* larger than this plugin accepts */
};

typedef struct tideover_fault {
  uint32_t size;
  tideover_fault_code code;
  tideover_str message; /* what is wrong, where, what to do; no health information */
  int64_t line;         /* 1-based, 0 = does not apply */
  int64_t segment;      /* 1-based, 0 = does not apply */
  int64_t byte;         /* 0-based offset, -1 = does not apply */
  /* Further facts for the client: {"next_effective_date", "2026-11-23"}. Values of keys with "[]" form one list. */
  tideover_pair_list details;
} tideover_fault;

typedef struct tideover_call {
  uint32_t size;
  int32_t reserved;
  int64_t budget_ms; /* > 0, from the start of the call */
  void* ctx;
  /* At most once per call, before TIDEOVER_FAILED is returned. These are errors of the plugin: a second fault, a fault
   * with another status, a code that this header does not define. A message is cut after 4096 bytes. [any] */
  void (*report)(void* ctx, const tideover_fault* fault);
} tideover_call;

/* ---- services of the host --------------------------------------------------------------------------------------- */

typedef int32_t tideover_log_level;
enum { TIDEOVER_LOG_DEBUG = 1, TIDEOVER_LOG_INFO = 2, TIDEOVER_LOG_WARNING = 3, TIDEOVER_LOG_ERROR = 4 };

/* Valid from create until destroy has returned. Every function is [any], has no budget and does not fail. Banking days
 * follow the calendar of the Federal Reserve. "Local" is America/New_York. */
typedef struct tideover_host {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  tideover_str version; /* of the host: "0.1.0" */
  /* Never log names, account tokens, keys or file content. */
  void (*log)(void* ctx, tideover_log_level level, tideover_str message);
  /* Wall clock, UTC. A sandbox can move it. Measure durations with a monotonic clock of your own. */
  int64_t (*now_ms)(void* ctx);
  tideover_date (*local_date)(void* ctx, int64_t utc_ms);
  /* Minutes since local midnight, 0..1439. */
  int32_t (*local_minute)(void* ctx, int64_t utc_ms);
  int64_t (*instant_ms)(void* ctx, tideover_date local_date, int32_t local_minute);
  /* 1 or 0. */
  int32_t (*is_banking_day)(void* ctx, tideover_date date);
  /* The date itself, or the first banking day after it. */
  tideover_date (*banking_day_on_or_after)(void* ctx, tideover_date date);
} tideover_host;

typedef struct tideover_config {
  uint32_t size;
  int32_t reserved;
  tideover_pair_list settings; /* declared keys only, each at most once */
} tideover_config;

/* ---- kind 1: payer_directory ------------------------------------------------------------------------------------ */

typedef struct tideover_payer {
  uint32_t size;
  int32_t supports_advance; /* 1 or 0 */
  tideover_str payer_id;
  tideover_str name;
  tideover_str short_name;
  tideover_str_list aliases;
  tideover_pair_list identifiers;   /* system -> id: {"optum", "87726"} */
  tideover_str_list ein;
  tideover_str_list coverage_types; /* medical, dental, vision */
  tideover_str_list programs;
  tideover_str_list states;         /* two-letter codes, or NATIONAL */
  tideover_pair_list transactions;  /* claim_837p -> supported | enrollment_required | not_supported */
  tideover_str status;              /* active | inactive */
  tideover_str updated_at;          /* RFC 3339 */
  int32_t timely_filing_days;
  int32_t denial_bps;               /* share of claims denied at first response, 0..10000 */
  int32_t allowed_bps;              /* allowed / billed, 0..10000 */
  int32_t patient_share_bps;        /* share of the allowed amount, 0..10000 */
  int32_t median_days_to_pay;       /* from submission, 1..3650 */
  int32_t p80_days_to_pay;          /* >= median */
} tideover_payer;

typedef struct tideover_payer_match {
  uint32_t size;
  int32_t score_bps; /* 1..10000; 10000: exact identifier */
  const tideover_payer* payer;
  tideover_str_list fields; /* which fields matched */
} tideover_payer_match;

typedef struct tideover_payer_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*match)(void* ctx, const tideover_payer_match* match);
} tideover_payer_sink;

typedef struct tideover_str_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*item)(void* ctx, tideover_str item);
} tideover_str_sink;

typedef struct tideover_payer_query {
  uint32_t size;
  int32_t reserved;
  tideover_str text;   /* at most 200 characters; empty: every payer in payer_id order */
  tideover_str system; /* one of systems() */
  tideover_str after;  /* with empty text: only payers after this payer_id */
  int64_t limit;       /* 1.. */
} tideover_payer_query;

typedef struct tideover_payer_directory {
  uint32_t size;
  int32_t reserved;
  /* Finds a payer by id, alias or identifier of another system, ASCII case-insensitive. TIDEOVER_OK and one match, or
   * TIDEOVER_NOT_FOUND. [any] */
  tideover_status (*get)(void* instance, const tideover_call* call,
                         tideover_str payer_id, const tideover_payer_sink* sink);
  /* At most query->limit matches, best first. [any] */
  tideover_status (*search)(void* instance, const tideover_call* call, const tideover_payer_query* query,
                            const tideover_payer_sink* sink);
  /* Identifier systems that search supports in addition to `internal` and `any`. Always the same result. [any] */
  tideover_status (*systems)(void* instance, const tideover_call* call, const tideover_str_sink* sink);
} tideover_payer_directory;

/* ---- kind 2: funding_rail --------------------------------------------------------------------------------------- */

/* What the host can learn after a lost answer. A rail that declares more than it provides pays twice. */
typedef int32_t tideover_recall;
enum {
  TIDEOVER_RECALL_DEDUP = 1, /* the same key again returns the first result, for at least 30 days */
  TIDEOVER_RECALL_FENCE = 2, /* cancel_or_status is final and blocks late payments */
  TIDEOVER_RECALL_QUERY = 3, /* query exists; "not found" is not final */
  TIDEOVER_RECALL_BLIND = 4  /* none of these */
};

typedef struct tideover_rail_description {
  uint32_t size;
  tideover_recall recall;
  tideover_str rail; /* 1 to 40 characters A-Z, 0-9 and _: RTP, SAME_DAY, WIRE */
  tideover_str name;
  tideover_str description;
  tideover_str status;   /* operational | degraded | suspended */
  tideover_str currency; /* USD */
  int64_t min_amount;
  int64_t max_amount;
  int64_t fee;
  tideover_str desired_date; /* forbidden | optional | required */
  tideover_str time_zone;
  tideover_str_list cutoffs; /* "10:00", local time, ascending */
  int32_t business_days_only;
  int32_t irrevocable;
  int32_t final_on_accept;
  int32_t return_window_days;
  int32_t max_latency_s; /* a payment that is not known after this time will not arrive */
  /* since 1.1, where `size` reaches it */
  int32_t reserved; /* padding in 1.0: never read */
  int32_t has_statement; /* 1: `statement` is available */
  int32_t reserved2;
  /* since 1.4, where `size` reaches it */
  int32_t simulated; /* 1: no money moves (a test bank). Production refuses it, unless the configuration permits it. */
  int32_t reserved3;
} tideover_rail_description;

typedef struct tideover_rail_description_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*description)(void* ctx, const tideover_rail_description* description);
} tideover_rail_description_sink;

typedef struct tideover_plan_request {
  uint32_t size;
  int32_t strict;        /* 1: do not roll to another date */
  tideover_date desired; /* all zero: none */
  int64_t now_ms;        /* plan for this instant, not for the host's clock */
} tideover_plan_request;

/* The host allocates it and sets `size`; the plugin fills it. */
typedef struct tideover_plan {
  uint32_t size;
  int32_t adjusted; /* 1: a cut-off or holiday moved the date */
  tideover_date effective;
  int32_t reserved;
  int64_t expected_settlement_ms; /* or TIDEOVER_NO_TIME */
} tideover_plan;

typedef struct tideover_disbursement {
  uint32_t size;
  int32_t reserved;
  tideover_str key; /* idempotency key: 1..64 visible ASCII characters */
  int64_t amount;
  tideover_str currency;
  tideover_str payout_account_token; /* secret: never logged */
  tideover_date effective;
} tideover_disbursement;

/* Between two answers a kind can change only like this: accepted -> settled -> returned, or accepted -> returned. */
typedef int32_t tideover_outcome_kind;
enum {
  TIDEOVER_OUTCOME_ACCEPTED = 1,  /* in progress; it can still be returned */
  TIDEOVER_OUTCOME_SETTLED = 2,   /* the payment arrived */
  TIDEOVER_OUTCOME_REJECTED = 3,  /* final: no money moved, and none will */
  TIDEOVER_OUTCOME_NOT_FOUND = 4, /* query: the rail does not know the key */
  TIDEOVER_OUTCOME_UNKNOWN = 5,   /* the answer was lost; do not guess */
  /* since 1.1; query and statement only: it was accepted, perhaps settled, and the whole amount came back (ACH R-code).
   * A payment that was never sent is REJECTED. */
  TIDEOVER_OUTCOME_RETURNED = 6
};

/* The host compares key and amount with its request. If they differ, it treats the outcome as unknown and opens a task.
 * Give both if the rail reports them. */
typedef struct tideover_outcome {
  uint32_t size;
  tideover_outcome_kind kind;
  tideover_str reference;   /* the rail's own reference, at most 200 bytes; required for accepted and settled */
  tideover_str reason_code; /* ACH R-code or ISO 20022 reason, at most 40 bytes; required for rejected and returned */
  tideover_str reason;
  /* since 1.1, where `size` reaches it */
  tideover_str key;         /* as the rail reports it; empty: not reported */
  int64_t amount;           /* as the rail reports it, or TIDEOVER_NO_AMOUNT */
} tideover_outcome;

typedef struct tideover_outcome_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*outcome)(void* ctx, const tideover_outcome* outcome);
} tideover_outcome_sink;

/* Since 1.1. One payment in the rail's own records, with its state at the time of the call. */
typedef struct tideover_statement_line {
  uint32_t size;
  tideover_outcome_kind kind; /* accepted, settled, rejected or returned */
  tideover_str key;           /* empty: the rail has no key for this payment */
  int64_t amount;
  tideover_str reference;     /* as in tideover_outcome */
  tideover_str reason_code;
  tideover_str reason;
  int64_t at_ms;              /* when the rail accepted the payment; decides in which statement it is */
} tideover_statement_line;

typedef struct tideover_statement_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*line)(void* ctx, const tideover_statement_line* line);
} tideover_statement_sink;

typedef struct tideover_statement_query {
  uint32_t size;
  int32_t reserved;
  int64_t from_ms; /* inclusive */
  int64_t to_ms;   /* exclusive */
} tideover_statement_query;

typedef struct tideover_funding_rail {
  uint32_t size;
  int32_t reserved;
  /* Called once after create. [once] */
  tideover_status (*describe)(void* instance, const tideover_call* call, const tideover_rail_description_sink* sink);
  /* When money would move. No side effects, fast. TIDEOVER_FAULT_INVALID_DATE if the date cannot be served. [any] */
  tideover_status (*plan)(void* instance, const tideover_call* call, const tideover_plan_request* request,
                          tideover_plan* plan);
  /* Pays. Exactly one outcome, never NOT_FOUND or RETURNED. TIDEOVER_FAILED or an exceeded budget counts as unknown,
   * never as rejected. [any] */
  tideover_status (*submit)(void* instance, const tideover_call* call, const tideover_disbursement* disbursement,
                            const tideover_outcome_sink* sink);
  /* The outcome of a key. [any] */
  tideover_status (*query)(void* instance, const tideover_call* call,
                           tideover_str key, const tideover_outcome_sink* sink);
  /* Required for TIDEOVER_RECALL_FENCE, otherwise may be NULL. The final outcome of a key. A key that was not found can
   * never be paid later. [any] */
  tideover_status (*cancel_or_status)(void* instance, const tideover_call* call, tideover_str key,
                                      const tideover_outcome_sink* sink);
  /* Since 1.1; NULL unless the description has has_statement. Every payment that the rail accepted in the period, one
   * line each, in any order. Two lines with one key mean that it was paid twice. TIDEOVER_FAILED if the statement
   * cannot be read completely: a partial statement is not usable. [any] */
  tideover_status (*statement)(void* instance, const tideover_call* call, const tideover_statement_query* query,
                               const tideover_statement_sink* sink);
} tideover_funding_rail;

/* ---- kind 3: import_format -------------------------------------------------------------------------------------- */

/* Valid from open until close. */
typedef struct tideover_byte_source {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  /* Reads up to `capacity` bytes. 0: end. -1: the stream is broken; return TIDEOVER_FAILED. */
  int64_t (*read)(void* ctx, char* into, size_t capacity);
} tideover_byte_source;

/* One claim: paths of the review request ("claim_identifier", "service_lines[0].cpt") with their values as text. */
typedef struct tideover_record {
  uint32_t size;
  int32_t reserved;
  int64_t line; /* line on which the record starts, from 1 */
  int64_t byte; /* offset at which it starts, from 0; -1: not known */
  tideover_pair_list fields;
  tideover_str fault; /* not empty: why this record cannot be read; never quotes a value */
} tideover_record;

typedef struct tideover_record_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*record)(void* ctx, const tideover_record* record);
} tideover_record_sink;

/* The answers to a file, as the sender expects them (TA1 and 999 for an X12 837). Since 1.6. */
typedef struct tideover_acknowledgment {
  uint32_t size;
  int32_t reserved;
  tideover_str interchange;    /* TA1 with its envelope; empty: none is due */
  tideover_str implementation; /* 999 with its envelope; empty: none is due */
  int64_t last_control_number; /* the last one that the answers use; the given one if they use none */
} tideover_acknowledgment;

typedef struct tideover_acknowledgment_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*acknowledgment)(void* ctx, const tideover_acknowledgment* acknowledgment);
} tideover_acknowledgment_sink;

typedef struct tideover_import_format {
  uint32_t size;
  int32_t reserved;
  /* `mapping`: service field -> header of the file. Reads no further than the header needs. [any] */
  tideover_status (*open)(void* instance, const tideover_call* call, const tideover_byte_source* source,
                          tideover_pair_list mapping, void** reader);
  /* TIDEOVER_OK and one record, or TIDEOVER_END. TIDEOVER_FAILED: nothing after this point can be read. [one] */
  tideover_status (*next)(void* reader, const tideover_call* call, const tideover_record_sink* sink);
  /* [one] */
  void (*close)(void* reader);
  /* Reads a whole file and gives one acknowledgment, also of a file that is truncated or has refused claims. The
   * answers have the control numbers after `last_control_number` and the time `now_ms` (UTC, milliseconds since 1970).
   * TIDEOVER_END: the format or this file has no answers. NULL if the format has none. Since 1.6. [any] */
  tideover_status (*acknowledge)(void* instance, const tideover_call* call, tideover_str bytes,
                                 int64_t last_control_number, int64_t now_ms,
                                 const tideover_acknowledgment_sink* sink);
} tideover_import_format;

/* A part of a file that the plugin does not pass to the service. */
typedef struct tideover_left_out {
  uint32_t size;
  int32_t refused;     /* 1: money that cannot be accepted; 0: not a subject of this format (a debit) */
  int64_t line;
  tideover_str reason; /* cause and remedy; never quotes names or text of the file */
} tideover_left_out;

/* ---- kind 4: remittance_format ---------------------------------------------------------------------------------- */

/* Called in file order: a payment, its claims (each with adjustments and lines, each line with adjustments), then
 * provider adjustments. A warning belongs to the latest payment. A payment is given completely or not at all: if one of
 * its rows cannot be accepted, give only that row, as left_out. On TIDEOVER_FAILED the host drops everything. */
typedef struct tideover_payment {
  uint32_t size;
  int32_t reserved;
  tideover_str payer_name;         /* N1*PR 02 */
  tideover_str_list payer_ids;     /* ids of the payer in the file, most specific first: REF*2U, N104 */
  tideover_str trace_number;       /* TRN02 */
  tideover_str originator_id;      /* TRN03 */
  tideover_date payment_date;      /* BPR16 */
  tideover_date production_date;   /* DTM*405 */
  tideover_str payment_method;     /* BPR04 */
  int64_t payment_amount;          /* BPR02; negative if BPR03 is D */
  tideover_str currency;           /* USD; report a payment in another currency as left_out */
  int32_t is_test;                 /* 1: from a test interchange (ISA15 is T); since 1.4 */
  int32_t reserved_2;
  tideover_str payee_npi;          /* NPI of the payee (N1*PE, N103 is XX); empty: not in the file; since 1.5 */
  /* since 1.7, where `size` reaches them */
  tideover_str payee_tax_id;       /* tax id of the payee (N1*PE, N103 is FI; else REF*TJ); empty: not in the file */
  tideover_str payee_assigned_id;  /* the payer's own number of the payee (REF*PQ); empty: not in the file */
} tideover_payment;

typedef struct tideover_remittance_claim {
  uint32_t size;
  int32_t reserved;
  tideover_str claim_identifier;   /* CLP01 */
  tideover_str status;             /* CLP02 */
  int64_t charge_amount;           /* CLP03 */
  int64_t paid_amount;             /* CLP04 */
  int64_t patient_responsibility;  /* CLP05 or TIDEOVER_NO_AMOUNT */
  tideover_str payer_claim_number; /* CLP07 */
  tideover_date date_of_service;
  tideover_date received_date;     /* DTM*050 */
  tideover_str billing_npi;        /* NPI of the provider (NM1*82, else TS301); empty: not in the file; since 1.5 */
} tideover_remittance_claim;

typedef struct tideover_remittance_line {
  uint32_t size;
  int32_t reserved;
  tideover_str cpt;
  tideover_str modifier; /* joined by ":" */
  tideover_str units;    /* as written */
  int64_t charge_amount;
  int64_t allowed_amount; /* AMT*B6 or TIDEOVER_NO_AMOUNT */
  int64_t paid_amount;
  tideover_date date_of_service;
  tideover_str submitted_cpt;      /* SVC06: the billed code, if the payer adjudicated another; since 1.1 */
  tideover_str submitted_modifier; /* joined by ":"; since 1.1 */
} tideover_remittance_line;

typedef struct tideover_adjustment {
  uint32_t size;
  int32_t reserved;
  tideover_str group; /* CAS01 */
  tideover_str code;  /* CARC */
  int64_t amount;
} tideover_adjustment;

typedef struct tideover_provider_adjustment { /* PLB */
  uint32_t size;
  int32_t reserved;
  tideover_str code;
  tideover_str reference;
  int64_t amount;   /* positive lowers the payment */
  tideover_str npi; /* NPI of the provider (PLB01); empty: not in the file; since 1.5 */
  tideover_str provider_id; /* PLB01 if it is no NPI: a tax id, or the payer's own number; else empty; since 1.7 */
} tideover_provider_adjustment;

typedef struct tideover_remittance_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*payment)(void* ctx, const tideover_payment* payment);
  void (*claim)(void* ctx, const tideover_remittance_claim* claim);
  void (*claim_adjustment)(void* ctx, const tideover_adjustment* adjustment); /* of the latest claim */
  void (*line)(void* ctx, const tideover_remittance_line* line);              /* of the latest claim */
  void (*line_adjustment)(void* ctx, const tideover_adjustment* adjustment);  /* of the latest line */
  void (*provider_adjustment)(void* ctx, const tideover_provider_adjustment* adjustment);
  void (*warning)(void* ctx, tideover_str message);
  void (*left_out)(void* ctx, const tideover_left_out* left_out); /* a row of an excluded payment; since 1.3 */
} tideover_remittance_sink;

typedef struct tideover_remittance_format {
  uint32_t size;
  int32_t reserved;
  /* A truncated or malformed file: one fault with segment and byte. A file without a payment is no fault of
   * the plugin; the host reports it. [any] */
  tideover_status (*parse)(void* instance, const tideover_call* call, tideover_str bytes,
                           const tideover_remittance_sink* sink);
  /* The same with a mapping, as in import_format.open. NULL if the format has no headers. Since 1.3. [any] */
  tideover_status (*parse_mapped)(void* instance, const tideover_call* call,
                                  tideover_str bytes, tideover_pair_list mapping, const tideover_remittance_sink* sink);
} tideover_remittance_format;

/* ---- kind 5: deposit_format, since 1.2 -------------------------------------------------------------------------- */

/* One credit that reached the bank. */
typedef struct tideover_deposit {
  uint32_t size;
  int32_t reserved;
  int64_t line;               /* line on which its record begins, from 1 */
  /* Identifies the credit: everything by which the bank distinguishes it (account, day, amount, references, text), and
   * nothing that changes if the file is created again. The host derives the external_id from it. A reference that
   * repeats within one file is another credit each time. At most 4096 bytes. */
  tideover_str reference;
  int64_t amount;             /* > 0 */
  tideover_str currency;
  tideover_date received_date;
  tideover_date effective_date;
  tideover_str trace_number;  /* TRN02 */
  tideover_str originator;    /* TRN03, else the company's id */
  tideover_str_list payer_ids; /* ids of the payer in the file, most specific first: TRN04, TRN03, the company's id */
  tideover_str payer_name;
  tideover_str addenda;       /* for reviewers; the host stores the beginning */
} tideover_deposit;

/* Since 1.6. The statement of one account for one day, as the bank closed it. Give it only if the file has the final
 * balances of the day: a report during the day is no statement. */
typedef struct tideover_bank_statement {
  uint32_t size;
  int32_t reserved;
  int64_t line;         /* line on which it begins, from 1 */
  tideover_str account; /* number or IBAN, at most 100 bytes; the host keeps its digest and its end only */
  tideover_str currency;
  tideover_date date;   /* the day that it closes */
  int64_t opening;      /* ledger balance, or TIDEOVER_NO_AMOUNT; below zero: overdrawn */
  int64_t closing;      /* the same */
  int64_t credit_sum;   /* of all credits as the file states it, or TIDEOVER_NO_AMOUNT */
  int64_t debit_sum;    /* the same, not below zero */
  int64_t credit_count; /* as the file states it; -1: not stated */
  int64_t debit_count;
} tideover_bank_statement;

/* Since 1.6. One movement that the balances of the latest statement contain: give every one, also those that are no
 * deposits. A deposit or left_out with the same `line` that follows it is about the same movement. */
typedef struct tideover_bank_entry {
  uint32_t size;
  int32_t is_debit; /* 1 or 0 */
  int64_t line;
  int64_t amount;   /* > 0; of a deposit that follows: the same */
  tideover_date date;
  tideover_str_list references; /* of payer, rail and bank, most specific first; at most 20 */
  tideover_str type_code;       /* of the bank: 451, PMNT-ICDT-ESCT */
  tideover_str text;            /* for reviewers; the host stores the beginning */
} tideover_bank_entry;

/* Called in file order. On TIDEOVER_FAILED the host drops everything. */
typedef struct tideover_deposit_sink {
  uint32_t size;
  int32_t reserved;
  void* ctx;
  void (*deposit)(void* ctx, const tideover_deposit* deposit);
  void (*left_out)(void* ctx, const tideover_left_out* left_out);
  void (*warning)(void* ctx, int64_t line, tideover_str message);
  /* since 1.6, where `size` reaches them */
  void (*statement)(void* ctx, const tideover_bank_statement* statement);
  void (*entry)(void* ctx, const tideover_bank_entry* entry);
} tideover_deposit_sink;

typedef struct tideover_deposit_format {
  uint32_t size;
  int32_t reserved;
  /* A truncated or malformed file: one fault with its line. A file without a credit is not a fault. [any] */
  tideover_status (*parse)(void* instance, const tideover_call* call,
                           tideover_str bytes, const tideover_deposit_sink* sink);
} tideover_deposit_format;

/* ---- the exported symbol ---------------------------------------------------------------------------------------- */

typedef int32_t tideover_kind;
enum {
  TIDEOVER_KIND_PAYER_DIRECTORY = 1,
  TIDEOVER_KIND_FUNDING_RAIL = 2,
  TIDEOVER_KIND_IMPORT_FORMAT = 3,
  TIDEOVER_KIND_REMITTANCE_FORMAT = 4,
  TIDEOVER_KIND_DEPOSIT_FORMAT = 5 /* since 1.2 */
};

typedef struct tideover_config_key {
  tideover_str name;
  tideover_str help;
  int32_t required; /* 1 or 0 */
} tideover_config_key;

/* The first four fields never move: versions recognize each other by them. */
typedef struct tideover_plugin_descriptor {
  uint32_t magic;       /* TIDEOVER_MAGIC */
  uint16_t abi_major;   /* TIDEOVER_ABI_MAJOR of the header it was built with */
  uint16_t abi_minor;
  uint32_t struct_size; /* sizeof(tideover_plugin_descriptor) */
  tideover_kind kind;
  tideover_str id;               /* ^[a-z][a-z0-9_]{0,39}$, unique within its kind */
  tideover_str name;
  tideover_str version;          /* version of the plugin: "1.2.0" */
  tideover_str min_host_version; /* oldest version of Tideover that it runs in: "0.1.0" */
  const tideover_config_key* config_keys; /* every setting that it accepts */
  size_t config_key_count;
  /* Reads the settings and creates an instance. A wrong setting: TIDEOVER_FAULT_INVALID_CONFIG. [once] per instance */
  tideover_status (*create)(const tideover_host* host, const tideover_config* config, const tideover_call* call,
                            void** instance);
  /* [once] */
  void (*destroy)(void* instance);
  const void* functions; /* function table of its kind, such as tideover_payer_directory */
} tideover_plugin_descriptor;

TIDEOVER_EXPORT extern const tideover_plugin_descriptor tideover_plugin;

#ifdef __cplusplus
}
#endif
#endif
