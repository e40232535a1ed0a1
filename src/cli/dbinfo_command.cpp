// alnus dbinfo: what a database file holds. With --verify all of it is checked.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "alnus/alnus.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/process.h"

namespace alnus::cli {
namespace {

struct DbinfoArguments {
  std::string database;
  bool verify = false, json = false;
};

std::string as_json(const DatabaseInfo& info, const DbinfoArguments& arguments) {
  nlohmann::ordered_json json = {{"database", arguments.database},
                                 {"format_version", info.format_version},
                                 {"alphabet", Alphabet::of(info.alphabet).name()},
                                 {"sequences", info.sequences},
                                 {"residues", info.residues},
                                 {"longest", info.longest},
                                 {"shortest", info.shortest},
                                 {"unknown_bytes", info.unknown_bytes},
                                 {"file_bytes", info.file_bytes},
                                 {"digest", info.digest}};
  if (arguments.verify) json["verified"] = true;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string as_text(const DatabaseInfo& info, const DbinfoArguments& arguments) {
  std::string text = fmt::format(
      "database        {}\nformat version  {}\nalphabet        {}\nsequences       {}\nresidues        {}\n"
      "longest         {}\nshortest        {}\nunknown letters {}\nfile size       {} ({} bytes)\ndigest     "
      "     {}\n",
      printable(arguments.database), info.format_version, Alphabet::of(info.alphabet).name(),
      format_count(info.sequences), format_count(info.residues), format_count(info.longest),
      format_count(info.shortest), format_count(info.unknown_bytes),
      format_bytes(static_cast<double>(info.file_bytes)), format_count(info.file_bytes), info.digest);
  if (arguments.verify) text += "verified        every checksum, index and residue\n";
  return text;
}

void run_dbinfo(const DbinfoArguments& arguments, const Context& context) {
  const std::string output = "-";
  keep_messages_out_of({&arguments.database, 1});
  check_outputs({&output, 1}, {&arguments.database, 1});
  const DatabaseInfo info = database_info(arguments.database);
  if (arguments.verify) {
    Session session = make_session({.devices = "cpu"}, context.log);
    session.verify_database(arguments.database, follow(context.log));
  }
  print(arguments.json ? as_json(info, arguments) : as_text(info, arguments));
}

}  // namespace

Command add_dbinfo(CLI::App& program) {
  CLI::App* command = program.add_subcommand("dbinfo", "What is in a database file");
  const auto arguments = std::make_shared<DbinfoArguments>();
  command->add_option("DB", arguments->database, "A database of alnus makedb")->required();
  command->add_flag("--verify", arguments->verify, "Check every checksum, index and residue")
      ->group("Options");
  command->add_flag("--json", arguments->json, "Print JSON, for programs")->group("Options");
  command->footer("Example:\n  alnus dbinfo uniprot.alnus --verify");
  return {command, [arguments](const Context& context) { run_dbinfo(*arguments, context); }};
}

}  // namespace alnus::cli
