#include "support/run_command.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace alnus::test {
namespace {

// Called in the child process, where only system calls are allowed.
[[noreturn]] void become(char* const* words, int in, int out, int err, const char* directory) {
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (*directory == '\0' || ::chdir(directory) == 0) ::execv(words[0], words);
  ::_exit(127);
}

int open_or_throw(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) throw std::runtime_error("cannot open " + path);
  return fd;
}

}  // namespace

RunningCommand::RunningCommand(const std::vector<std::string>& words, const RunOptions& options) {
  files_.write_file("in", options.input);
  const int in = open_or_throw(files_.file("in"), O_RDONLY);
  const int out = open_or_throw(options.out_path.empty() ? files_.file("out") : options.out_path,
                                O_WRONLY | O_CREAT | O_TRUNC);
  const int err = open_or_throw(files_.file("err"), O_WRONLY | O_CREAT | O_TRUNC);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) become(arguments.data(), in, out, err, options.directory.c_str());
  for (const int fd : {in, out, err}) ::close(fd);
  if (pid_ < 0) throw std::runtime_error("cannot fork");
}

RunningCommand::~RunningCommand() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void RunningCommand::send(int signal) const { ::kill(pid_, signal); }

CommandResult RunningCommand::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  CommandResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_file(files_.file("out"));
  result.err = read_file(files_.file("err"));
  return result;
}

CommandResult run_command(const std::vector<std::string>& words, const RunOptions& options) {
  return RunningCommand(words, options).wait();
}

}  // namespace alnus::test
