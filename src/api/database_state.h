// What stays with a database from call to call.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "core/sorted_sequences.h"

namespace alnus {

namespace api {
class FileCheck;
}

struct Database::State {
  SequenceSet sequences;
  std::string name;
  std::vector<std::string> files;  // that its sequences were read from; of memory none
  // How it was read from them:
  bool alphabet_stated = true;  // by the user: nothing is guessed or doubted
  ReadCounts counts;
  Masking masking;
  std::string file_digest;                              // that the header of its database file has
  std::vector<std::shared_ptr<api::FileCheck>> checks;  // of the files that its sequences come from
  std::optional<bool> resembles_dna;                    // before it was masked; empty: not looked at yet

  // Its order by length, made when it is first needed.
  const std::shared_ptr<const SortedSequences>& sorted();
  bool looks_like_dna();
  // True the first time: whether these queries suit these subjects is looked into, and said, once.
  bool to_be_doubted_with(const State& subjects);

  std::mutex mutex;
  const State* doubted_with = nullptr;
  std::once_flag sorting, digesting;
  std::shared_ptr<const SortedSequences> sorted_;
  std::string digest_;
};

}  // namespace alnus
