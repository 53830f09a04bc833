# SPDX-License-Identifier: Apache-2.0
# The rules exist even where sinter is a part of another project that does not want it installed: a project that exports a library which
# links to sinter::sinter could not be configured otherwise.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(SINTER_CMAKE_DIR ${CMAKE_INSTALL_DATADIR}/cmake/sinter CACHE STRING "Where the package for CMake is installed, relative to the prefix")
mark_as_advanced(SINTER_CMAKE_DIR)
set(sinter_exclude EXCLUDE_FROM_ALL)
if(SINTER_INSTALL)
  set(sinter_exclude "")
endif()

set(sinter_installed_sources ${SINTER_CMAKE_DIR})
if(NOT IS_ABSOLUTE "${SINTER_CMAKE_DIR}")
  set(sinter_installed_sources $<INSTALL_PREFIX>/${SINTER_CMAKE_DIR})
endif()
target_sources(sinter_compiled INTERFACE $<INSTALL_INTERFACE:${sinter_installed_sources}/sinter-compiled.cpp>)
target_sources(sinter_thrust INTERFACE $<INSTALL_INTERFACE:${sinter_installed_sources}/sinter-algorithms.cpp>)
target_sources(sinter_cuda INTERFACE $<INSTALL_INTERFACE:${sinter_installed_sources}/sinter-algorithms.cu>)
# Not as a FILE_SET, which CMake exports with a wrong path where CMAKE_INSTALL_INCLUDEDIR is absolute, as in Nix.
install(TARGETS sinter sinter_compiled EXPORT sinter-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sinter ${sinter_exclude})
install(EXPORT sinter-targets NAMESPACE sinter:: DESTINATION ${SINTER_CMAKE_DIR} COMPONENT sinter ${sinter_exclude})
foreach(part IN ITEMS xtensor json npz onnx thrust cuda cudnn)
  install(TARGETS sinter_${part} EXPORT sinter-${part}-targets)
  install(EXPORT sinter-${part}-targets NAMESPACE sinter:: DESTINATION ${SINTER_CMAKE_DIR} COMPONENT sinter ${sinter_exclude})
endforeach()

configure_package_config_file(cmake/sinter-config.cmake.in sinter-config.cmake INSTALL_DESTINATION ${SINTER_CMAKE_DIR})
write_basic_package_version_file(sinter-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(
  FILES ${PROJECT_BINARY_DIR}/sinter-config.cmake ${PROJECT_BINARY_DIR}/sinter-config-version.cmake cmake/sinter-dependencies.cmake
        cmake/sinter-compiled.cpp cmake/sinter-algorithms.cpp cmake/sinter-algorithms.cu cmake/sinter-add-model.cmake
  DESTINATION ${SINTER_CMAKE_DIR} COMPONENT sinter ${sinter_exclude})
install(DIRECTORY cmake/sinter-model-writer DESTINATION ${SINTER_CMAKE_DIR} COMPONENT sinter ${sinter_exclude})

# For pkg-config: relative to its own place, so that the prefix may be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig OUTPUT_VARIABLE sinter_pc_include)
configure_file(cmake/sinter.pc.in sinter.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinter.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig COMPONENT sinter ${sinter_exclude})
