# SPDX-License-Identifier: Apache-2.0
# What the tests, examples and benchmarks of this repository share; nothing of it reaches a user of sinter.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)

function(sinter_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
endfunction()

# The headers as single files, for projects that take a file: single_include/sinter/sinter.hpp in the build folder, and one with ONNX.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_FOUND)
  add_custom_target(single_include
    COMMAND ${Python3_EXECUTABLE} packaging/single_include.py ${PROJECT_BINARY_DIR}/single_include sinter/sinter.hpp sinter/onnx.hpp
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()

# Formatting and static analysis, with the version of the tools that CI has.
find_program(sinter_clang_format NAMES clang-format-19)
find_program(sinter_clang_tidy NAMES clang-tidy-19)
mark_as_advanced(sinter_clang_format sinter_clang_tidy)
if(sinter_clang_format AND PROJECT_IS_TOP_LEVEL)
  set(sinter_formatted include examples bench test)
  foreach(mode IN ITEMS format format-check)
    set(flags -i)
    if(mode STREQUAL "format-check")
      set(flags --dry-run --Werror)
    endif()
    add_custom_target(${mode}
      COMMAND find ${sinter_formatted} "(" -name "*.[ch]pp" -o -name "*.cu" ")" -exec ${sinter_clang_format} ${flags} {} +
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  endforeach()
endif()

# Every header but those of Thrust's backend in one file, analyzed as its users' compiler sees it, and the examples. With SINTER_TIDY_SINCE only those that have
# changed since that commit; in the gate the tutorials are left out, which instantiate the same templates again.
set(SINTER_TIDY_SINCE "" CACHE STRING "The target tidy analyzes what has changed since this commit; empty: everything")
find_program(sinter_run_clang_tidy NAMES run-clang-tidy-19)
mark_as_advanced(sinter_run_clang_tidy)
if(sinter_clang_tidy AND sinter_run_clang_tidy AND PROJECT_IS_TOP_LEVEL)
  file(GLOB_RECURSE public CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} include/sinter/*.hpp)
  set(analyzed examples/digits/main.cpp examples/plan/main.cpp examples/run_model.cpp)
  if("all" IN_LIST SINTER_TEST_TIERS)
    file(GLOB_RECURSE analyzed RELATIVE ${PROJECT_SOURCE_DIR} examples/*.cpp)
  endif()
  if(SINTER_TIDY_SINCE)
    execute_process(COMMAND git diff --name-only ${SINTER_TIDY_SINCE} -- include examples .clang-tidy
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE changed RESULT_VARIABLE code)
    string(REPLACE "\n" ";" changed "${changed}")
    if(NOT code EQUAL 0)
      message(WARNING "sinter: git does not know the commit ${SINTER_TIDY_SINCE}; everything is analyzed")
    elseif(NOT ".clang-tidy" IN_LIST changed)
      foreach(list IN ITEMS public analyzed)
        set(all ${${list}})
        set(${list} "")
        foreach(file IN LISTS all)
          if(file IN_LIST changed)
            list(APPEND ${list} ${file})
          endif()
        endforeach()
      endforeach()
    endif()
  endif()
  list(FILTER public EXCLUDE REGEX "thrust|cuda")
  list(TRANSFORM public REPLACE "^include/(.+)$" "#include <\\1>\n")
  list(JOIN public "" text)
  file(CONFIGURE OUTPUT tidy.cpp CONTENT "${text}" @ONLY)
  add_library(sinter_tidy OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/tidy.cpp)
  find_package(nlohmann_json QUIET REQUIRED)
  find_package(xtensor QUIET REQUIRED)
  target_link_libraries(sinter_tidy PRIVATE sinter_json sinter_npz sinter_onnx sinter_xtensor)
  list(JOIN analyzed "|" analyzed)
  string(REPLACE "." "\\." analyzed "^${PROJECT_SOURCE_DIR}/(${analyzed})$")
  add_custom_target(tidy
    COMMAND ${sinter_run_clang_tidy} -quiet -clang-tidy-binary ${sinter_clang_tidy} -p ${PROJECT_BINARY_DIR} "/tidy\\.cpp$" ${analyzed}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL VERBATIM)
endif()
