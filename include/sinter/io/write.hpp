// SPDX-License-Identifier: Apache-2.0
// Writes a file: all of it, or nothing.
#pragma once
#include <unistd.h>  // not fcntl.h, whose `open` would make sinter::open ambiguous

#include "file.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

// Where the symbolic links of this name lead, whether there is something or not. (A circle of links ends somewhere in it.)
inline std::string end_of_links(std::string path) {
  constexpr int most_links = 40;
  for (int i = 0; i < most_links; ++i) {
    char to[4096];
    auto const n = ::readlink(path.c_str(), to, sizeof to);
    if (n <= 0 || n == sizeof to) break;
    std::string_view const target(to, static_cast<std::size_t>(n));
    auto const slash = target[0] == '/' ? std::string::npos : path.rfind('/');
    path.erase(slash == std::string::npos ? 0 : slash + 1);
    path += target;
  }
  return path;
}
// The mode of the file that is to be replaced, or 0 where there is none. Throws where this is no file, or one that may not be written.
inline mode_t mode_to_keep(std::string const& path) {
  if (path.empty()) throw file_error(path, "the file cannot be written: its name is empty");
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return 0;
    throw file_error(path, "the file cannot be written: " + system_reason(errno));
  }
  if (S_ISFIFO(info.st_mode)) throw file_error(path, "it is a pipe, not a file");
  if (auto const reason = kind_of_no_file(info.st_mode)) throw file_error(path, reason);
  if (file_handle const old(std::fopen(path.c_str(), "r+b")); !old)  // by the rights that writing would have
    throw file_error(path, "the file cannot be written: " + system_reason(errno));
  return info.st_mode & 07777;
}

// The new name on the disk, too. A file system that cannot do it leaves the old file or the new one all the same.
inline void flush_folder_of(std::string const& path) {
  auto const slash = path.rfind('/');
  if (file_handle const folder(std::fopen(slash == std::string::npos ? "." : path.substr(0, slash + 1).c_str(), "r")); folder)
    ::fsync(::fileno(folder.get()));
}

// Whether a file has this extension, in small letters or large ones.
inline bool has_extension(std::string_view path, std::string_view extension) {
  if (path.size() < extension.size()) return false;
  for (std::size_t i = 0; i < extension.size(); ++i) {
    char const c = path[path.size() - extension.size() + i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != extension[i]) return false;
  }
  return true;
}
// One of these extensions, which promises another format than the one that is written.
inline void refuse_extensions(std::string const& path, std::initializer_list<std::string_view> extensions, std::string const& why) {
  for (std::string_view const e : extensions)
    if (has_extension(path, e)) throw file_error(path, why + ", and not " + std::string(e));
}

}  // namespace detail

// A new file beside the old one, written to the end: replace() lets it take the place of the old one, so that a reader sees the old file or the
// new one, never a half; the bytes are on the disk before the name is. It gets the old one's mode. A symbolic link stays, and leads to the new
// file; other hard links to the old file keep the old bytes. What cannot be written or is no file is a file_error. A file that takes no
// other's place is removed again.
template <class = void> class new_file {
 public:
  new_file(std::string const& path, std::vector<std::span<std::byte const>> const& parts) : path_(path) {
    mode_t const mode = detail::mode_to_keep(path);
    target_ = detail::end_of_links(path);
    detail::file_handle f = create();
    bool ok = mode == 0 || ::fchmod(::fileno(f.get()), mode) == 0;  // before there is anything to read in it
    for (auto const bytes : parts) ok = ok && std::fwrite(bytes.data(), 1, bytes.size(), f.get()) == bytes.size();
    ok = ok && std::fflush(f.get()) == 0 && ::fsync(::fileno(f.get())) == 0;
    int code = errno;
    if (std::fclose(f.release()) != 0 && ok) ok = false, code = errno;
    if (ok) return;
    std::remove(part_.c_str());
    throw file_error(path_, "the file cannot be written: " + detail::system_reason(code));
  }
  new_file(new_file const&) = delete;
  new_file& operator=(new_file const&) = delete;
  ~new_file() {
    if (!replaced_) std::remove(part_.c_str());
  }
  std::string const& target() const { return target_; }
  void replace() {
    if (std::rename(part_.c_str(), target_.c_str()) != 0)
      throw file_error(path_, "the file cannot be written: " + detail::system_reason(errno));
    replaced_ = true;
    detail::flush_folder_of(target_);
  }

 private:
  std::string path_, target_, part_;
  bool replaced_ = false;

  detail::file_handle create() {
    detail::file_handle f;
    constexpr int most = 100;  // writers at once, and files that writers have left behind which were killed
    for (int i = 0; !f && i < most; ++i) {
      part_ = target_ + ".part" + std::to_string(i);
      errno = 0;
      f.reset(std::fopen(part_.c_str(), "wbx"));  // x: never a file that another writer has open
      if (!f && errno != EEXIST) break;
    }
    if (!f && errno == EEXIST)
      throw file_error(path_, "the file cannot be created: remove " + target_ + ".part0 to .part" + std::to_string(most - 1) +
                                  ", which programs that were stopped have left behind");
    if (!f) throw file_error(path_, "the file cannot be created: " + detail::system_reason(errno));
    return f;
  }
};
template <class = void> void write_file(std::string const& path, std::vector<std::span<std::byte const>> const& parts) {
  new_file<>(path, parts).replace();
}
template <class = void> void write_file(std::string const& path, std::span<std::byte const> bytes) { write_file(path, std::vector{bytes}); }

}  // namespace sinter::io::inline SINTER_ISA
