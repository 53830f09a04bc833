// SPDX-License-Identifier: Apache-2.0
// All bytes of a file, if it is one.
#pragma once
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "array.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

// What is no file, and would block the reader (a pipe) or has no end (/dev/zero).
inline char const* kind_of_no_file(mode_t mode) {
  if (S_ISREG(mode)) return nullptr;
  if (S_ISDIR(mode)) return "it is a directory, not a file";
  if (S_ISFIFO(mode)) return "it is a pipe, not a file: write what it gives to a file first";
  if (S_ISSOCK(mode)) return "it is a socket, not a file";
  return "it is a device, not a file";
}

// A file with holes reads as zeros where nothing was written, and takes up memory all the same. (Of 0 blocks a file system knows nothing.)
inline bool mostly_holes(struct stat const& s) {
  constexpr long long much = 1 << 30, bytes_per_byte = 64;
  long long const size = s.st_size, on_disk = 512ll * s.st_blocks;
  return size > much && on_disk > 0 && size / bytes_per_byte > on_disk;
}

// Of memory that is about to be filled: large pages, where the system has them, are asked for far less often. It is a wish, and may fail.
// (100 MB from a file in the cache take 9 ms so, and 47 ms otherwise; Linux 6, two cores.)
inline void prefer_large_pages(void* at, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096, large = 1 << 21;
  if (bytes < 2 * large) return;
  auto const behind = reinterpret_cast<std::uintptr_t>(at) % page;
  ::madvise(static_cast<std::byte*>(at) + (behind == 0 ? 0 : page - behind), (bytes - page) / page * page, MADV_HUGEPAGE);
}

inline std::vector<std::byte> room_for(std::uint64_t n, std::string const& path) {
  auto const too_large = [&] { return file_error(path, "the file has " + std::to_string(n) + " bytes, and there is not so much memory"); };
  try {
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(n));
    prefer_large_pages(bytes.data(), bytes.capacity());
    bytes.resize(static_cast<std::size_t>(n));
    return bytes;
  } catch (std::bad_alloc const&) { throw too_large(); } catch (std::length_error const&) {
    throw too_large();
  }
}

// A file that is open to be read, and what the system says of it: its size, and when it was changed.
struct opened_file {
  file_handle handle;
  struct stat info{};
  std::uint64_t size() const { return static_cast<std::uint64_t>(info.st_size); }
};
inline opened_file open_to_read(std::string const& path) {
  opened_file f;
  if (::stat(path.c_str(), &f.info) != 0) throw file_error(path, "the file cannot be opened: " + system_reason(errno));
  if (auto const reason = kind_of_no_file(f.info.st_mode)) throw file_error(path, reason);
  if (mostly_holes(f.info))
    throw file_error(path, "the file has " + std::to_string(f.info.st_size) + " bytes, but nearly all of them were never written");
  errno = 0;
  f.handle.reset(std::fopen(path.c_str(), "rb"));
  if (!f.handle) throw file_error(path, "the file cannot be opened: " + system_reason(errno));
  return f;
}

}  // namespace detail

// All bytes of a file. `look` sees the first of them as a reader that knows the size of the file, and throws where it is not worth
// reading further. What is missing, unreadable, empty, no file, or changes its size meanwhile is a file_error.
template <class Look> std::vector<std::byte> read_file(std::string const& path, Look look) {
  constexpr std::uint64_t first_bytes = 1 << 17;
  detail::opened_file const opened = detail::open_to_read(path);
  auto const& f = opened.handle;
  std::uint64_t const size = opened.size();
  std::uint64_t n = 0;
  auto const fill = [&](std::vector<std::byte>& bytes) {
    n += std::fread(bytes.data() + n, 1, bytes.size() - static_cast<std::size_t>(n), f.get());
    if (std::ferror(f.get())) throw file_error(path, n, "the file cannot be read: " + detail::system_reason(errno));
    if (n < bytes.size()) throw file_error(path, n, "the file ends here, and had " + std::to_string(size) + " bytes when it was opened");
  };
  std::vector<std::byte> bytes = detail::room_for(std::min(size, first_bytes), path);
  fill(bytes);
  if (size != 0) look(reader(bytes, size, path));
  if (size > first_bytes) {
    std::vector<std::byte> all = detail::room_for(size, path);
    std::copy(bytes.begin(), bytes.end(), all.begin());
    bytes = std::move(all);
    fill(bytes);
  }
  if (std::byte more; std::fread(&more, 1, 1, f.get()) != 0)
    throw file_error(path, n,
                     size == 0 ? "the file has no size, as those in /proc: copy it to another one first"
                               : "the file goes on here, and had " + std::to_string(size) + " bytes when it was opened");
  if (std::ferror(f.get())) throw file_error(path, n, "the file cannot be read: " + detail::system_reason(errno));
  if (size == 0) throw file_error(path, 0, "the file is empty");
  return bytes;
}
inline std::vector<std::byte> read_file(std::string const& path) {
  return read_file(path, [](reader const&) {});
}

}  // namespace sinter::io::inline SINTER_ISA
