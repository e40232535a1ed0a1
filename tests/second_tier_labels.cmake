# ctest includes this after the lists of tests that gtest_discover_tests makes, which cannot give a test two labels.
foreach(layer core stats io cpu engine graph api cli bench)
  foreach(test IN LISTS second_tier_of_${layer})
    set_tests_properties("${test}" PROPERTIES LABELS "${layer};second_tier")
  endforeach()
endforeach()
