# Which tests of layers and of the Python package scripts/test leaves to scripts/test --all (docs/testing.md). Whole
# folders that it leaves out are in CMakeLists.txt.

# Patterns of GoogleTest by layer. These tests take long, and others of the first tier call the same code with other
# values.

# The free ends of semiglobal mode: five of the sixteen sets stay in the first tier.
foreach(ends none qend qbegin_qend sbegin qbegin_sbegin qbegin_qend_sbegin qbegin_send qend_send qbegin_qend_send
        sbegin_send qend_sbegin_send)
  list(APPEND modes */semiglobal_${ends})
endforeach()

set(second_tier_cpu ${modes} Device/LongSequences.FiveThousandSquared/semiglobal*
    Device/Overflow.EveryScoreAroundTheLimitsOf8Bits/semiglobal*)
set(second_tier_engine ${modes} Engine/AdjustedExtremePairs.ScoresAreThoseOfTheReference/BLOSUM62
    Engine/AdjustedExtremePairs.ScoresAreThoseOfTheReference/PAM30)
set(second_tier_api ApiThreads.BoundEverythingThatComputes ApiCandidatesOfParts.WhereMoreAreGoodEnoughThanAreKept
    ApiCancelled.AllPairsWithACheckpointGoOnToTheSameBytes ApiPartsWithFilters.OneQueryAndManyParts
    ApiPartsWithSeveralAlignments.OneQueryAndManyParts)
set(second_tier_cli Statistics.ScoringsWithoutVariationAreJudgedByKarlin Calibrate.KeepsNothingWithoutAHome)
set(second_tier_bench BenchPapers.WhatTakesAMomentRunsForTenthsOfASecond)

# python/tests/test_NAME.py: other programs, other machines, documents, pictures.
set(second_tier_python commands completion distributed distributed_command distributed_log docstrings documents heat_map
    memory packaging pipeline plot reading_tables shared_memory site slurm terminal typing)
