// SPDX-License-Identifier: Apache-2.0
// Reads and writes safetensors files. Needs nlohmann/json; with it included somewhere in the program, load_parameters, save_parameters,
// nd::load and nd::save have the format, too.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>

#include "../core/buffer.hpp"
#include "array_file.hpp"
#include "detail/names.hpp"
#include "detail/safetensors_header.hpp"
#include "format.hpp"
#include "tensor.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

// The open file, its header, and the mapping from the first time that somebody asks for it.
class safetensors_state {
 public:
  explicit safetensors_state(std::string file) : path(std::move(file)), file_(open_to_read(path)) {
    std::byte first[8]{};
    read(0, std::span(first).first(static_cast<std::size_t>(std::min<std::uint64_t>(8, file_.size()))));
    reader in(first, file_.size(), path);
    std::uint64_t const length = length_of_safetensors_header(in);
    std::vector<std::byte> const text = room_for(length, path);
    read(8, std::span(const_cast<std::byte*>(text.data()), text.size()));
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

}  // namespace detail

// A safetensors file: the header is read at once, elements when they are asked for. Copies of it are the same file, which stays open while
// one of them, or a tensor that it mapped, is there. Damage of any kind is a file_error; so are dtypes that there are no arrays of (F8, F4,
// complex). The format: https://github.com/huggingface/safetensors
//   io::safetensors const file("model.safetensors");
//   auto w = file.load<nd::tensor<float, shape<64, 64>>>("layers.0.weight", {.cast_dtype = true});
class safetensors {
 public:
  explicit safetensors(std::string const& path) : state_(std::make_shared<detail::safetensors_state>(path)) {}

  // Names, dtypes and shapes, without elements. Sorted by name, numbers as numbers: the file does not say in which order they are used.
  std::vector<array> const& arrays() const { return state_->arrays; }
  std::map<std::string, std::string> const& metadata() const { return state_->metadata; }

  // The array of this name, copied out of the file. A file that was changed since it was opened is a file_error.
  array read(std::string_view name) const { return read_array(as_array_file(), index(name)); }
  // The same as a tensor. Another shape is a shape_error, another element type a dtype_error.
  template <tensor_type T> T load(std::string_view name, cast_options const& options = {}) const {
    return to_tensor<T>(read(name), options);
  }

  // The elements where they lie in the file: nothing is copied, and pages are read when they are used. Nobody may write to it, nor make the
  // file shorter meanwhile: the system would end the program (SIGBUS); what `read` and `load` copy is safe from that. Elements that do not
  // lie aligned are copied, and bools.
  template <tensor_type T> T map(std::string_view name) const {
    std::size_t const i = index(name);
    array const& a = arrays()[i];
    using element = typename T::value_type;
    dims const extents = detail::checked_extents<T>(a);
    if (a.type != dtype_of<element>) detail::refuse_dtype<element>(a);
    std::byte* const from = state_->map(i);
    if (!from) return load<T>(name);
    using owner = std::shared_ptr<detail::safetensors_state>;
    auto* const values = reinterpret_cast<element*>(from);
    return T::share(buffer<element>(values, new owner(state_), [](void* o) { delete static_cast<owner*>(o); }), extents, true);
  }

  array_file as_array_file() const {
    return {state_->path,
            state_->arrays,
            {[state = state_](std::size_t i, std::span<std::byte> to) { state->read_array(i, to); },
             [state = state_](std::size_t i) { return std::shared_ptr<std::byte>(state, state->map(i)); }}};
  }

 private:
  std::size_t index(std::string_view name) const {
    for (std::size_t i = 0; i < arrays().size(); ++i)
      if (arrays()[i].name == name) return i;
    throw file_error(state_->path, "there is no array " + in_quotes(name) + " in the file");
  }
  std::shared_ptr<detail::safetensors_state> state_;
};

// The arrays of a file that is in memory, sorted by name.
inline std::vector<array> parse_safetensors(std::span<std::byte const> bytes, std::string const& file) {
  reader in(bytes, file);
  auto const text = in.take(detail::length_of_safetensors_header(in), "the header");
  auto header = detail::parse_safetensors_header({reinterpret_cast<char const*>(text.data()), text.size()}, in.left(), file);
  std::vector<array> arrays;
  for (auto& e : header.entries) {
    auto const data = in.take(e.end - e.begin, "the elements");
    e.what.data.assign(data.begin(), data.end());
    detail::normalise_bools(e.what);
    arrays.push_back(std::move(e.what));
  }
  std::sort(arrays.begin(), arrays.end(), [](array const& a, array const& b) { return detail::counts_before(a.name, b.name); });
  return arrays;
}

namespace detail {

// A file of these arrays in parts: its header, and the elements of the arrays where they are.
struct safetensors_parts {
  std::string header;  // with its length before it
  std::vector<std::span<std::byte const>> parts;

  safetensors_parts(std::string const& file, std::vector<array> const& arrays, std::map<std::string, std::string> const& metadata) {
    check(file, arrays);
    std::vector<array const*> sorted;
    for (array const& a : arrays) sorted.push_back(&a);
    std::sort(sorted.begin(), sorted.end(), [](array const* a, array const* b) {
      return std::pair(row_of(*a), std::string_view(a->name)) < std::pair(row_of(*b), std::string_view(b->name));
    });
    parts.emplace_back();
    std::string text = "{";
    auto const add = [&](std::string_view name, nlohmann::ordered_json const& value) {
      if (text.size() > 1) text += ',';
      text += nlohmann::json(name).dump() + ':' + value.dump();
    };
    if (!metadata.empty()) add(metadata_key, metadata);
    std::uint64_t at = 0;
    for (array const* a : sorted) {
      add(a->name, {{"dtype", row_of(*a)->name}, {"shape", a->shape}, {"data_offsets", {at, at + a->data.size()}}});
      parts.emplace_back(a->data);
      at += a->data.size();
    }
    text += '}';
    text.append((8 - text.size() % 8) % 8, ' ');
    std::uint64_t const length = text.size();
    header.assign(reinterpret_cast<char const*>(&length), 8);
    header += text;
    parts[0] = std::as_bytes(std::span(header));
  }
  safetensors_parts(safetensors_parts const&) = delete;
  safetensors_parts& operator=(safetensors_parts const&) = delete;

 private:
  static safetensors_dtype const* row_of(array const& a) {
    return std::find_if(std::begin(safetensors_dtypes), std::end(safetensors_dtypes), [&](auto& r) { return r.type == a.type; });
  }
  static void check(std::string const& file, std::vector<array> const& arrays) {
    check_names(file, arrays);
    for (array const& a : arrays) {
      check_bytes(a, largest_file_rank);
      if (a.name == metadata_key) throw file_error(file, "an array cannot be named " + in_quotes(a.name) + " in a safetensors file");
    }
  }
};

}  // namespace detail

// As write_file does: the old file or the new one, never a half. The bytes are those that the format's own library writes. Two arrays of one
// name, a name that is no UTF-8 and one that the format keeps for itself are a file_error. Readers of PyTorch's files want {{"format", "pt"}}
// as metadata.
inline void write_safetensors(std::string const& path, std::vector<array> const& arrays,
                              std::map<std::string, std::string> const& metadata = {}) {
  detail::safetensors_parts const file(path, arrays, metadata);
  write_file(path, file.parts);
}
// The bytes of such a file.
inline std::vector<std::byte> safetensors_bytes(std::vector<array> const& arrays, std::map<std::string, std::string> const& metadata = {}) {
  std::vector<std::byte> bytes;
  detail::safetensors_parts const file("", arrays, metadata);
  for (auto const part : file.parts) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

// From here on the program has the format.
inline bool const has_safetensors = [] {
  codec& c = codec_of(file_format::safetensors);
  c.open = [](std::string const& path) { return safetensors(path).as_array_file(); };
  c.write = [](std::string const& path, std::vector<array> const& arrays) { write_safetensors(path, arrays); };
  return true;
}();

}  // namespace sinter::io::inline SINTER_ISA
