// What a sender can put into a folder: none of it is followed, blocks a round, or stops other files.
#include <sys/stat.h>
#include <unistd.h>

#include "core/pickup/safe_name.hpp"
#include "tests/usecases/pickup/pickup_world.hpp"

using namespace tideover;
using tests::PickupWorld;

BOOST_FIXTURE_TEST_SUITE(pickup_hostile_files, PickupWorld)

BOOST_AUTO_TEST_CASE(links_pipes_and_folders_are_reported_and_left) {
  std::ofstream(folder / "secret") << "REM SECRET 100";
  std::filesystem::create_symlink(folder / "secret", folder_path / "inbox" / "link");
  std::filesystem::create_directory(folder_path / "inbox" / "sub");
  std::ofstream(folder_path / "inbox" / "sub" / "inner") << "REM INNER 100";
  BOOST_REQUIRE(::mkfifo((folder_path / "inbox" / "pipe").c_str(), 0600) == 0);
  put("good", "REM T1 5000");
  const auto round = look();
  BOOST_TEST(round.posted == 1);
  BOOST_REQUIRE(round.problems.size() == 3u);
  BOOST_TEST(round.problems[0] == "inbox/link is not a regular file and is skipped. Remove it.");
  BOOST_TEST(round.problems[1] == "inbox/pipe is not a regular file and is skipped. Remove it.");
  BOOST_TEST(round.problems[2] == "inbox/sub is not a regular file and is skipped. Remove it.");
  BOOST_TEST(remittance_count() == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_that_becomes_a_link_or_a_pipe_is_not_followed) {
  std::ofstream(folder / "secret") << "REM SECRET 100";
  std::filesystem::create_symlink(folder / "secret", folder_path / "inbox" / "link");
  BOOST_REQUIRE(::mkfifo((folder_path / "inbox" / "pipe").c_str(), 0600) == 0);
  for (const auto* place : {"inbox/link", "inbox/pipe", "inbox/none"}) {
    const auto read = disk->read(place);
    BOOST_REQUIRE(!read);
    BOOST_TEST(read.error().code == domain::ErrorCode::not_found);
  }
  std::filesystem::rename(folder_path / "archive", folder_path / "moved");
  std::filesystem::create_directory_symlink(folder / ".", folder_path / "archive");
  put("good", "REM T1 5000");
  BOOST_TEST(!disk->move("inbox/good", "archive/good"));
  BOOST_TEST(files("inbox").find("good") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_huge_file_goes_to_quarantine_unread) {
  put("huge", std::string(1001, 'x'));
  put("fits", "REM T1 5000" + std::string(900, ' '));
  const auto round = look();
  BOOST_TEST(round.posted == 1);
  BOOST_TEST(round.quarantined == 1);
  BOOST_TEST(text_of("quarantine/huge.error.txt") ==
             "payload_too_large: The file is larger than 1000 bytes. Split it.\n");
  BOOST_TEST(log()[0].bytes + log()[1].bytes == 1001 + 911);
}

BOOST_AUTO_TEST_CASE(any_name_is_logged_and_archived_in_safe_form) {
  const std::vector<std::pair<std::string, std::string>> names{
      {"a\nb", "a%0Ab"},    {"\x1b[31mred", "%1B[31mred"}, {"\xff\xfe", "%FF%FE"},
      {"50%41", "50%2541"}, {"two words", "two%20words"},  {std::string(250, 'n'), std::string(180, 'n')}};
  int number = 0;
  for (const auto& [raw, safe] : names) put(raw, "REM T" + std::to_string(++number) + " 5000");
  const auto round = look();
  BOOST_TEST(round.posted == static_cast<int>(names.size()));
  BOOST_TEST(files("inbox") == "");
  for (const auto& [raw, safe] : names)
    BOOST_TEST(std::filesystem::exists(folder_path / "archive" / "2026-11-20" / safe), safe);
}

BOOST_AUTO_TEST_CASE(a_safe_name_leads_back_to_its_name) {
  std::string all;
  for (int c = 1; c < 256; ++c)
    if (c != '/') all += static_cast<char>(c);
  BOOST_TEST(pickup::raw_name(pickup::safe_name(all)) == all);
  BOOST_TEST(pickup::raw_name("100%") == "100%");
  BOOST_TEST(pickup::raw_name("%4") == "%4");
}

BOOST_AUTO_TEST_CASE(an_empty_file_goes_to_quarantine) {
  put("empty", "");
  BOOST_TEST(look().quarantined == 1);
  BOOST_TEST(text_of("quarantine/empty.error.txt") == "invalid_payload: The file is empty.\n");
}

BOOST_AUTO_TEST_CASE(a_foreign_file_with_the_name_of_an_error_text_is_kept) {
  const std::string foreign(2000, 'x');  // more than the folder reads
  std::ofstream(folder_path / "quarantine" / "bad.error.txt") << foreign;
  put("bad", "nothing");
  look();
  BOOST_TEST(look().quarantined == 1);
  const auto own = "bad." + log().front().id.text();
  BOOST_TEST(files("quarantine") == "bad.error.txt " + own + ' ' + own + ".error.txt");
  BOOST_TEST(text_of("quarantine/bad.error.txt") == foreign);
  BOOST_TEST(text_of("quarantine/" + own + ".error.txt").starts_with("invalid_payload: "));
}

BOOST_AUTO_TEST_CASE(the_archive_is_pruned_in_no_other_folder) {
  const auto elsewhere = folder / "elsewhere";
  std::filesystem::create_directories(elsewhere / "2020-01-01");
  for (const auto& path : {elsewhere / "a", elsewhere / "2020-01-01/b"}) std::ofstream(path) << "text";
  const auto there = [&] {
    return std::filesystem::exists(elsewhere / "a") && std::filesystem::exists(elsewhere / "2020-01-01/b");
  };
  const domain::Date today = clock.now().utc_date();
  // A day is a link; a file of a day is a link; the archive is a link.
  std::filesystem::create_directory_symlink(elsewhere, folder_path / "archive/2020-01-01");
  std::filesystem::create_directory(folder_path / "archive/2020-01-02");
  std::filesystem::create_symlink(elsewhere / "a", folder_path / "archive/2020-01-02/a");
  BOOST_TEST(bool(disk->prune_archive(today)));
  BOOST_TEST(there());
  BOOST_TEST(std::filesystem::is_symlink(folder_path / "archive/2020-01-01"));
  BOOST_TEST(!std::filesystem::exists(folder_path / "archive/2020-01-02"));
  std::filesystem::remove_all(folder_path / "archive");
  std::filesystem::create_directory_symlink(elsewhere, folder_path / "archive");
  BOOST_TEST(!disk->prune_archive(today));
  BOOST_TEST(there());
}

BOOST_AUTO_TEST_CASE(a_folder_that_every_user_can_write_is_refused) {
  BOOST_REQUIRE(::chmod((folder_path / "inbox").c_str(), 0777) == 0);
  const auto open = pickup::DiskFolder::open({folder_path, false, {}, 1000});
  BOOST_REQUIRE(!open);
  BOOST_TEST(open.error().message == "The pickup folder " + (folder_path / "inbox").string() +
                                         " can be written by every user. Remove that right: chmod o-w.");
}

BOOST_AUTO_TEST_CASE(a_folder_behind_a_link_or_a_file_is_refused) {
  std::filesystem::create_directory_symlink(folder_path, folder / "link");
  std::ofstream(folder / "file") << "text";
  for (const auto* name : {"link", "file"}) {
    const auto open = pickup::DiskFolder::open({folder / name, false, {}, 1000});
    BOOST_REQUIRE(!open);
    BOOST_TEST(open.error().message.ends_with("is a link or a file. Name a directory."), open.error().message);
  }
  BOOST_TEST(!pickup::DiskFolder::open({folder / "none/below", false, {}, 1000}));
}

BOOST_AUTO_TEST_SUITE_END()
