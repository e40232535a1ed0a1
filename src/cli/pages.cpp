// alnus pages: writes manual pages and completions for shells, for those who package or install the program.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "alnus/error.h"
#include "alnus/output.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/help.h"
#include "cli/values.h"

namespace alnus::cli {
namespace {

// Today's date, or that of SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch).
std::tm date_of_pages() {
  constexpr std::string_view kVariable = "SOURCE_DATE_EPOCH";
  constexpr std::uint64_t kYear9999 = 253'370'764'800;
  const char* epoch = std::getenv(kVariable.data());
  if (epoch == nullptr) return fmt::gmtime(std::time(nullptr));
  return fmt::gmtime(static_cast<std::time_t>(parse_count(kVariable, epoch, 0, kYear9999)));
}

class Pages {
 public:
  Pages(const std::string& folder, Session& session) : folder_(folder), session_(session) {}

  void write(const std::filesystem::path& name, std::string_view text) {
    const std::filesystem::path path = folder_ / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      throw Error(ErrorKind::other, fmt::format("Cannot make the folder {}: {}.",
                                                in_quotes(path.parent_path().string()), error.message()));
    OutputFile file(session_, path.string());
    file.write(text);
    file.commit();
  }
  void write_manual(const CLI::App& app, const std::tm& date) {
    write("man/man1/" + page_name(app) + ".1", man_page(app, date));
    for (const CLI::App* command : commands_of(app)) write_manual(*command, date);
  }

 private:
  const std::filesystem::path folder_;
  Session& session_;
};

}  // namespace

Command add_pages(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("pages", "Writes the manual pages and the shells' completions into a folder");
  const auto folder = std::make_shared<std::string>();
  command
      ->add_option("DIR", *folder,
                   "Where to: man/man1, bash-completion/completions, zsh/site-functions and "
                   "fish/vendor_completions.d are made in it. zsh needs its folder in fpath")
      ->required();
  command->footer("Example:\n  alnus pages ~/.local/share");
  return {command, [folder, program = &program](const Context& context) {
            Session session = make_session({.devices = "cpu"}, context.log);  // OutputFile uses its threads
            Pages pages(*folder, session);
            pages.write_manual(*program, date_of_pages());
            pages.write("bash-completion/completions/alnus", bash_completion(*program));
            pages.write("zsh/site-functions/_alnus", zsh_completion(*program));
            pages.write("fish/vendor_completions.d/alnus.fish", fish_completion(*program));
          }};
}

}  // namespace alnus::cli
