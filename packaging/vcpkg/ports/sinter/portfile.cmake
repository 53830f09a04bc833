# SPDX-License-Identifier: Apache-2.0
# In a clone of sinter (--overlay-ports=sinter/packaging/vcpkg/ports) the port takes the clone as it is. vcpkg caches what a port installs
# by the files of the port alone: after a change of the clone, install with --no-binarycaching.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../..")
if(NOT EXISTS "${SOURCE_PATH}/packaging/vcpkg/ports/sinter/portfile.cmake")
  vcpkg_download_distfile(archive
    URLS "https://github.com/sinter-cpp/sinter/releases/download/v${VERSION}/sinter-${VERSION}.tar.gz"
    FILENAME "sinter-${VERSION}.tar.gz"
    SHA512 0)  # packaging/release writes it
  vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")
endif()

set(VCPKG_BUILD_TYPE release)  # headers only
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DSINTER_BUILD_TESTS=OFF -DSINTER_BUILD_EXAMPLES=OFF -DSINTER_BUILD_BENCHMARKS=OFF -DSINTER_CMAKE_DIR=share/sinter)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup()
vcpkg_fixup_pkgconfig()
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
