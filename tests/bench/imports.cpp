#include "tests/bench/imports.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/bench/encodings.hpp"
#include "tests/bench/requests.hpp"

namespace tideover::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kClients = 8;
constexpr std::size_t kLastingRows = 400'000;

/// A claim of two lines, another patient's each.
std::string claim(std::size_t i) {
  return fmt::format(
      R"({{"claim_identifier":"CLM-{0:08}","chart_identifier":"CH-{0}","date_of_service":"2026-10-{1:02}",)"
      R"("servicer_npi":"1234567893","billing_npi":"1999999984","patient_primary_payor_id":"SAMPLE-80",)"
      R"("submitted_amount":{2}.00,"service_lines":[{{"cpt":"99213","units":1,)"
      R"("amount":{3}.00}},{{"cpt":"93000","units":2,"amount":100.00}}]}})"
      "\n",
      i, 1 + i % 28, 200 + i % 700, 100 + i % 700);
}

std::string claims(std::size_t rows) {
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) text += claim(i);
  return text;
}

std::string start(const Service& service, std::size_t rows) {
  const auto answer = service.api().post(
      "/v1/imports/claims", R"({"format":"ndjson","encoding":"gzip","payload":")" + base64(gzip(claims(rows))) + "\"}");
  if (answer.status != 200) throw std::runtime_error("the import was refused: " + answer.body);
  return "/v1/imports/claims/" + answer.json().text("/job_id");
}

void wait_for_end(const Service& service, const std::string& job, std::size_t rows) {
  const auto api = service.api();
  for (;;) {
    const auto state = api.get(job).json();
    const auto status = state.text("/status");
    if (status == "failed" ||
        (status == "succeeded" && state.integer("/accepted_rows") != static_cast<std::int64_t>(rows)))
      throw std::runtime_error("the import went wrong: " + status);
    if (status == "succeeded") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// VmRSS or VmHWM, in MiB.
double memory_mib(pid_t process, const std::string& field) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string name; status >> name;)
    if (double kilobytes = 0; name == field + ":" && status >> kilobytes) return kilobytes / 1024;
  throw std::runtime_error("process " + std::to_string(process) + " tells nothing of its memory");
}

}  // namespace

Sample import_rows(std::size_t rows) {
  const Service service;
  const double cpu = cpu_seconds(service.process());
  const auto job = start(service, rows);
  const auto started = Clock::now();
  wait_for_end(service, job, rows);
  Sample sample;
  sample.rate = static_cast<double>(rows) / seconds_since(started);
  sample.cpu_us = (cpu_seconds(service.process()) - cpu) * 1e6 / static_cast<double>(rows);
  return sample;
}

Sample sqlite_import(std::size_t rows) {
  const test::ServiceFolder folder;
  const auto csv = folder.path() / "claims.csv", database = folder.path() / "control.db",
             script = folder.path() / "script";
  {
    std::ofstream out(csv);
    for (std::size_t i = 0; i < rows; ++i)
      out << fmt::format(
          "CLM-{0:08},CH-{0},2026-10-{1:02},1234567893,1999999984,SAMPLE-80,{2}.00,99213,1,{3}.00,93000,2,100.00\n", i,
          1 + i % 28, 200 + i % 700, 100 + i % 700);
    std::ofstream(script) << "PRAGMA journal_mode=WAL;\nPRAGMA synchronous=FULL;\nCREATE TABLE claims "
                             "(claim_identifier TEXT PRIMARY KEY, chart TEXT, service TEXT, "
                             "servicer TEXT, billing TEXT, payer TEXT, amount TEXT, cpt0 TEXT, units0 TEXT, amount0 "
                             "TEXT, cpt1 TEXT, units1 TEXT, amount1 TEXT);\n"
                             ".mode csv\n.import "
                          << csv.string() << " claims\n";
  }
  const auto started = Clock::now();
  if (std::system(("sqlite3 " + database.string() + " < " + script.string() + " > /dev/null").c_str()) != 0)
    throw std::runtime_error("the sqlite3 program is needed as the control of imports (package sqlite3)");
  Sample sample;
  sample.rate = static_cast<double>(rows) / seconds_since(started);
  return sample;
}

std::size_t rows_of(std::size_t mebibytes) {
  return (mebibytes << 20) / claim(0).size();
}

namespace {

fs::path file_of(const Service& service, std::size_t rows) {
  auto file = service.folder().path() / "claims.ndjson";
  std::ofstream out(file);
  for (std::size_t i = 0; i < rows; ++i) out << claim(i);
  return file;
}

void import_into(const Service& service, const fs::path& file) {
  const auto command =
      fmt::format("{} import {} --config {} > /dev/null 2>&1", (fs::path(TIDEOVER_BINARY_DIR) / "tideover").string(),
                  file.string(), service.folder().config_file().string());
  if (std::system(command.c_str()) != 0) throw std::runtime_error("tideover import failed");
}

/// Eight clients: the machine has processors left, so a latency is that of a review and not of a queue.
Sample reviews_of_few(const Service& service, std::chrono::milliseconds duration) {
  LoadPlan plan;
  plan.port = service.port();
  plan.connections = kClients;
  plan.duration = duration;
  plan.next_request = ReviewRequests(service.token());
  return measure(service.process(), plan);
}

/// What the service says that its learning takes, in MiB: it has a bound of its own, and grows with claims, not with
/// files.
double learned_mib(const Service& service) {
  const std::string name = "\ntideover_learning_memory_bytes ";
  const auto page = test::ApiClient(service.ops_port()).get("/metrics").body;
  const auto at = page.find(name);
  if (at == std::string::npos) throw std::runtime_error("the service does not tell the memory of its learning");
  return std::stod(page.substr(at + name.size())) / (1 << 20);
}

}  // namespace

Sample import_file(std::size_t rows) {
  const Service service;
  const auto file = file_of(service, rows);
  const auto process = service.process();
  std::ofstream("/proc/" + std::to_string(process) + "/clear_refs") << 5;  // resets the high-water mark
  const double before = memory_mib(process, "VmRSS") - learned_mib(service), cpu = cpu_seconds(process);
  const auto started = Clock::now();
  import_into(service, file);
  Sample sample;
  sample.rate = static_cast<double>(rows) / seconds_since(started);
  sample.cpu_us = (cpu_seconds(process) - cpu) * 1e6 / static_cast<double>(rows);
  sample.memory_mib = memory_mib(process, "VmHWM") - learned_mib(service) - before;
  return sample;
}

Sample reviews_among(std::size_t stored, std::chrono::milliseconds duration) {
  const Service service;
  import_into(service, file_of(service, stored));
  return reviews_of_few(service, duration);
}

Sample reviews_beside_import(std::chrono::milliseconds duration, bool with_import) {
  const Service service;
  const auto job = with_import ? start(service, kLastingRows) : std::string();
  const auto sample = reviews_of_few(service, duration);
  if (with_import && service.api().get(job).json().text("/status") != "running")
    throw std::runtime_error("the import ended before the reviews did");
  return sample;
}

}  // namespace tideover::bench
