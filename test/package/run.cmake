# SPDX-License-Identifier: Apache-2.0
# cmake -DWAY=... -P run.cmake: one way to use sinter from outside, in a fresh folder.
cmake_minimum_required(VERSION 3.23)
set(here ${CMAKE_CURRENT_LIST_DIR})

function(run)
  list(JOIN ARGV " " line)
  message(STATUS "${line}")
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Runs the program of examples/start, which prints its plan.
function(start program)
  message(STATUS "${program}")
  execute_process(COMMAND ${program} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  message("${text}")
  if(NOT text MATCHES "^plan: 4 kernels\n")
    message(FATAL_ERROR "examples/start prints another plan")
  endif()
endfunction()

# Configures, builds and runs one of the projects beside this file, or one in another folder.
function(consume project)
  set(build ${WORK}/${WAY})
  cmake_path(ABSOLUTE_PATH project BASE_DIRECTORY ${here})
  file(REMOVE_RECURSE ${build})
  run(${CMAKE_COMMAND} -S ${project} -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -Werror=dev
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF --no-warn-unused-cli -DVERSION=${VERSION} ${ARGN})
  run(${CMAKE_COMMAND} --build ${build})
  foreach(program IN ITEMS consumer parts)
    if(EXISTS ${build}/${program})
      run(${build}/${program})
    endif()
  endforeach()
  if(EXISTS ${build}/start)
    start(${build}/start)
  endif()
endfunction()

if(WAY STREQUAL "install")
  file(REMOVE_RECURSE ${WORK})
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  # Nothing in the package may know where it was built or installed: the ways below use it from another folder.
  file(GLOB_RECURSE files ${WORK}/first/*.cmake)
  foreach(file IN LISTS files)
    file(READ ${file} text)
    foreach(folder IN ITEMS ${WORK} ${BUILD})
      string(FIND "${text}" "${folder}" at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} names ${folder}")
      endif()
    endforeach()
  endforeach()
  file(RENAME ${WORK}/first ${WORK}/prefix)
elseif(WAY STREQUAL "moved")
  consume(consumer -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  # Another minor version while this is 0.x is refused.
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${here}/consumer -B ${WORK}/${WAY}-newer -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
            -DVERSION=0.99.0 -DCMAKE_PREFIX_PATH=${WORK}/prefix
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE error)
  if(code EQUAL 0 OR NOT error MATCHES "0\\.99")
    message(FATAL_ERROR "version 0.99.0 was found")
  endif()
elseif(WAY STREQUAL "compiled")
  # Two files with an own and one with another instruction set, for a program and for a library in it that links sinter::compiled, too.
  consume(compiled -DCMAKE_PREFIX_PATH=${WORK}/prefix)
elseif(WAY STREQUAL "components")
  if(XTENSOR)
    consume(consumer -DCMAKE_PREFIX_PATH=${WORK}/prefix "-DPARTS=xtensor")
  endif()
  string(REPLACE "+" ";" FILES "${FILES}")
  foreach(part IN LISTS FILES)
    run(${CMAKE_COMMAND} -S ${here}/consumer -B ${WORK}/${WAY}-${part} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DVERSION=${VERSION}
      -DPARTS=${part} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  endforeach()
  if(ONNX)
    consume(consumer -DCMAKE_PREFIX_PATH=${WORK}/prefix "-DPARTS=onnx")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${here}/consumer -B ${WORK}/${WAY}-absent -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
            -DVERSION=${VERSION} -DPARTS=abacus -DCMAKE_PREFIX_PATH=${WORK}/prefix
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE error)
  if(code EQUAL 0 OR NOT error MATCHES "abacus")
    message(FATAL_ERROR "a component that does not exist was found")
  endif()
elseif(WAY STREQUAL "add_subdirectory")
  consume(consumer -DADD=${SOURCE})
elseif(WAY STREQUAL "fetch_content")
  consume(consumer -DFETCH=${SOURCE})
elseif(WAY STREQUAL "exporter")
  # A library that has sinter as a part, exports itself, is installed, and is used.
  consume(exporter -DADD=${SOURCE} -DCMAKE_INSTALL_PREFIX=${WORK}/exported)
  run(${CMAKE_COMMAND} --install ${WORK}/${WAY})
  if(EXISTS ${WORK}/exported/include/sinter)
    message(FATAL_ERROR "the library installed sinter, though nobody asked for it")
  endif()
  consume(exporter -DUSE=ON -Dmodel_ROOT=${WORK}/exported -Dsinter_ROOT=${WORK}/prefix)
elseif(WAY STREQUAL "model")
  # The program that writes the types has flags of its own, and the project keeps its flags.
  run(${CMAKE_COMMAND} -S ${here}/model -B ${WORK}/${WAY}-flags -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -Werror=dev -DVERSION=${VERSION}
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCMAKE_PREFIX_PATH=${WORK}/prefix -DMODELS=${SOURCE}/test/data/models -DPYTHON=${PYTHON}
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=-fno-exceptions -DPROJECT -Wall" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
  set(commands ${WORK}/${WAY}-flags/compile_commands.json)
  file(STRINGS ${commands} writer REGEX "\"command\": .*sinter-model.cpp\"")
  file(STRINGS ${commands} own REGEX "\"command\": .*main.cpp\"")
  if(NOT writer MATCHES " -O0 " OR writer MATCHES " -O3 |-fno-exceptions|-DPROJECT|-Wall|-DNDEBUG")
    message(FATAL_ERROR "the program that writes types is compiled with the flags of the project: ${writer}")
  endif()
  if(NOT own MATCHES "-fno-exceptions -DPROJECT -Wall -O3 -DNDEBUG" OR own MATCHES " -O0 ")
    message(FATAL_ERROR "the project is compiled with other flags than its own: ${own}")
  endif()
  consume(model -DCMAKE_PREFIX_PATH=${WORK}/prefix -DMODELS=${SOURCE}/test/data/models -DPYTHON=${PYTHON})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/${WAY} --output-on-failure)
elseif(WAY STREQUAL "units")
  consume(units -DCMAKE_PREFIX_PATH=${WORK}/prefix)
elseif(WAY STREQUAL "thrust")
  consume(device -DCMAKE_PREFIX_PATH=${WORK}/prefix)
elseif(WAY STREQUAL "cuda")  # runs to its end without a device, too
  consume(device -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCUDA=ON -DCUDNN=${CUDNN} -DCMAKE_CUDA_COMPILER=${NVCC})
elseif(WAY STREQUAL "conan")
  run(${PYTHON} ${here}/conan/run.py ${SOURCE} ${WORK}/conan ${CXX})
elseif(WAY STREQUAL "vcpkg")
  # The port from the checkout, where it takes the checkout, and beside the archive of a release.
  run(${SOURCE}/packaging/release ${WORK}/release)
  foreach(from IN ITEMS ${SOURCE}/packaging ${WORK}/release)
    cmake_path(GET from FILENAME name)
    run(${CMAKE_COMMAND} -DPORT=${from}/vcpkg/ports/sinter -DTREE=${WORK}/vcpkg-${name} -DCXX=${CXX} -DVERSION=${VERSION}
      -DARCHIVES=${WORK}/release -P ${here}/vcpkg.cmake)
  endforeach()
  consume(${SOURCE}/examples/start -DCMAKE_PREFIX_PATH=${WORK}/vcpkg-release/installed)
  consume(parts -DCMAKE_PREFIX_PATH=${WORK}/vcpkg-packaging/installed)
elseif(WAY STREQUAL "plain")
  # No build system at all.
  run(${CXX} -std=c++20 -I${WORK}/prefix/include ${FLAGS} ${here}/consumer/main.cpp -o ${WORK}/plain)
  run(${WORK}/plain)
else()
  message(FATAL_ERROR "there is no way '${WAY}'")
endif()
