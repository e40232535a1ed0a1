// Which sequences are similar, as Python's arguments say it.
#pragma once

#include <string>
#include <vector>

#include "alnus/relation.h"
#include "alnus/similarity.h"
#include "words.h"

namespace alnus::python {

// An empty `relation` means those of the edges that are given.
inline Similarity similarity_of(const std::string& relation, const Words& strand) {
  return {relation.empty() ? std::vector<Relation>{} : parse_relations(relation),
          chosen<Strands>("strand", strand)};
}

}  // namespace alnus::python
