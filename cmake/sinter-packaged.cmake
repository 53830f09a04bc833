# SPDX-License-Identifier: Apache-2.0
# For packages whose targets a package manager writes, as Conan does: the parts of them that it cannot say. sinter::thrust, sinter::cuda and
# sinter::cudnn need what no package brings along; where it is missing, the use of one is an error of CMake's that names it.
include(${CMAKE_CURRENT_LIST_DIR}/sinter-dependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/sinter-add-model.cmake)

set_property(TARGET sinter::compiled PROPERTY INTERFACE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/sinter-compiled.cpp)
set_property(TARGET sinter::compiled APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS SINTER_COMPILED)
set_property(TARGET sinter::thrust PROPERTY INTERFACE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/sinter-algorithms.cpp)
set_property(TARGET sinter::cuda PROPERTY INTERFACE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/sinter-algorithms.cu)
set_property(TARGET sinter::cudnn APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS SINTER_CUDNN)
set_property(TARGET sinter::cuda PROPERTY INTERFACE_COMPILE_OPTIONS $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
function(sinter_link_found part library)
  set(sinter_missing "")
  cmake_language(CALL sinter_find_${part} sinter_missing)
  if(sinter_missing)
    set(library sinter::${part}_is_not_found)
  endif()
  target_link_libraries(sinter::${part} INTERFACE ${library})
endfunction()
sinter_link_found(thrust sinter_thrust_headers)
if(CMAKE_CUDA_COMPILER_LOADED)
  sinter_link_found(cuda CUDA::cublasLt)
  sinter_link_found(cudnn sinter_cudnn_library)
else()
  target_link_libraries(sinter::cuda INTERFACE sinter::cuda_needs_the_language_CUDA)  # an error if it is used
endif()
