// SPDX-License-Identifier: Apache-2.0
// A safetensors file that is open: its header, and its elements, copied or mapped.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>

#include "../file.hpp"
#include "names.hpp"
#include "safetensors_header.hpp"

namespace sinter::io::inline SINTER_ISA::detail {

// The open file, its header, and the mapping from the first time that somebody asks for it.
class safetensors_state {
 public:
  explicit safetensors_state(std::string file) : path(std::move(file)), file_(open_to_read(path)) {
    std::byte first[512]{};
    auto const n = static_cast<std::size_t>(std::min<std::uint64_t>(sizeof first, file_.size()));
    read(0, std::span(first).first(n));
    reader in(std::span(first, n), file_.size(), path);
    std::uint64_t const length = length_of_safetensors_header(in);
    std::vector<std::byte> text = room_for(length, path);
    read(8, text);
    start_ = 8 + length;
    auto header = parse_safetensors_header({reinterpret_cast<char const*>(text.data()), text.size()}, file_.size() - start_, path);
    metadata = std::move(header.metadata);
    std::sort(header.entries.begin(), header.entries.end(), [](auto& a, auto& b) { return counts_before(a.what.name, b.what.name); });
    for (auto& e : header.entries) {
      begins_.push_back(start_ + e.begin);
      arrays.push_back(std::move(e.what));
    }
  }
  safetensors_state(safetensors_state const&) = delete;
  safetensors_state& operator=(safetensors_state const&) = delete;
  ~safetensors_state() {
    if (mapped_) ::munmap(mapped_, static_cast<std::size_t>(file_.size()));
  }

  void read_array(std::size_t i, std::span<std::byte> to) const {
    read(begins_[i], to);
    if (arrays[i].type == dtype::boolean) normalise_bools(to);
  }
  // Where the elements lie, in pages of which a changed one becomes this process's own; nothing where they do not lie aligned, or may not
  // be used as they are.
  std::byte* map(std::size_t i) {
    auto const size = static_cast<std::size_t>(bytes_of(arrays[i].type));
    if (arrays[i].type == dtype::boolean || begins_[i] % size != 0) return nullptr;
    check_unchanged(begins_[i]);
    std::call_once(once_, [&] {
      void* const p =
          ::mmap(nullptr, static_cast<std::size_t>(file_.size()), PROT_READ | PROT_WRITE, MAP_PRIVATE, ::fileno(file_.handle.get()), 0);
      if (p == MAP_FAILED) throw file_error(path, "the file cannot be mapped: " + system_reason(errno));
      mapped_ = p;
    });
    return static_cast<std::byte*>(mapped_) + begins_[i];
  }

  std::string path;
  std::vector<array> arrays;
  std::map<std::string, std::string> metadata;

 private:
  // Copies from the file, which must be the one that was opened: of the size and the time of its last change.
  void read(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
      auto const n = ::pread(::fileno(file_.handle.get()), to.data(), to.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw file_error(path, offset, "the file cannot be read: " + system_reason(errno));
      if (n == 0)
        throw file_error(path, offset, "the file ends here, and had " + std::to_string(file_.size()) + " bytes when it was opened");
      offset += static_cast<std::uint64_t>(n);
      to = to.subspan(static_cast<std::size_t>(n));
    }
    check_unchanged(offset);
  }
  void check_unchanged(std::uint64_t offset) const {
    struct stat now{};
    struct stat const& then = file_.info;
    if (::fstat(::fileno(file_.handle.get()), &now) != 0 || now.st_size != then.st_size || now.st_mtim.tv_sec != then.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != then.st_mtim.tv_nsec)
      throw file_error(path, offset, "the file was changed while it was read");
  }

  opened_file file_;
  std::uint64_t start_ = 0;
  std::vector<std::uint64_t> begins_;
  std::once_flag once_;
  void* mapped_ = nullptr;
};

}  // namespace sinter::io::inline SINTER_ISA::detail
