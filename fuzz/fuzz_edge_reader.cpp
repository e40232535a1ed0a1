// Takes arbitrary bytes as a table of edges of three records, with tabs and with commas: the reader must
// refuse them with an Error(input), or return edges of two different records, the column before the row.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "alnus/error.h"
#include "alnus/sequence_set.h"
#include "io/edge_reader.h"
#include "io/id_index.h"

namespace {

using namespace alnus;

SequenceSet three_records() {
  SequenceSetBuilder builder(AlphabetKind::protein, "records");
  for (const char* id : {"a", "b", "c,\"d"}) builder.add_text(id, "MKV");
  return builder.finish();
}

void read_all(std::string_view text, const char* name, const std::vector<Relation>& relations) {
  static const SequenceSet records = three_records();
  static const io::IdIndex ids(records);
  try {
    io::EdgeReader reader(io::Input(text, name), ids, relations);
    for (SparseValues edges = reader.next(); edges.size() > 0; edges = reader.next())
      for (std::size_t k = 0; k < edges.size(); ++k) {
        if (edges.column[k] >= edges.row[k] || edges.row[k] >= records.size()) std::abort();
        if (edges.relation[k] >= std::max<std::size_t>(1, relations.size())) std::abort();
      }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"edges.tsv", "edges.csv"}) {
    read_all(text, name, {});
    read_all(text, name, {{RelationKind::whole, 30}, {RelationKind::part, 30}});
  }
  return 0;
}
