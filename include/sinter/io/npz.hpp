// SPDX-License-Identifier: Apache-2.0
// Reads and writes .npz, NumPy's zip archives of .npy files, and those that MXNet 2 writes as .params. Needs libzip; with it included somewhere
// in the program, load_parameters, save_parameters, nd::load and nd::save have the format, too. Why libzip: zip has two sizes and two headers
// for everything, and a library that knows which to believe, checks the sums and unpacks is better than another reader of them.
#pragma once
#include <zip.h>

#include "format.hpp"
#include "npy.hpp"

namespace sinter::io::inline SINTER_ISA {
namespace detail {

struct close_zip {
  void operator()(zip_t* z) const { zip_discard(z); }
  void operator()(zip_file_t* f) const { zip_fclose(f); }
  void operator()(zip_source_t* s) const { zip_source_free(s); }
};
template <class T> using zip_handle = std::unique_ptr<T, close_zip>;

// A list of the members ends an archive; a comment of less than 64 KiB may follow.
inline bool is_cut(std::span<std::byte const> bytes) {
  constexpr std::size_t longest = 22 + 0xffff;
  std::string_view const all(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  return all.starts_with("PK\3\4") && all.find("PK\5\6", all.size() - std::min(all.size(), longest)) == all.npos;
}
// The archive in memory; its source is kept, for what is written to it to be read again.
struct zip_archive {
  zip_handle<zip_source_t> source;
  zip_handle<zip_t> zip;

  zip_archive(std::span<std::byte const> bytes, int flags, std::string const& file) {
    zip_error_t e{};
    zip_error_init(&e);
    source.reset(zip_source_buffer_create(bytes.empty() ? nullptr : bytes.data(), bytes.size(), 0, &e));
    if (source) zip.reset(zip_open_from_source(source.get(), flags, &e));
    std::string const reason = is_cut(bytes) ? "it is cut off, for it begins as one and its end is missing" : zip_error_strerror(&e);
    zip_error_fini(&e);
    if (!zip) throw file_error(file, "this is not a zip archive that can be read: " + reason);
    zip_source_keep(source.get());
  }
  [[noreturn]] void fail(std::string const& member) const { throw file_error(member, zip_strerror(zip.get())); }
};

// One member, unpacked; its sum is checked.
inline std::vector<std::byte> unpack(zip_archive const& in, zip_stat_t const& stat, std::string const& member) {
  std::vector<std::byte> bytes = room_for(stat.size, member);
  zip_handle<zip_file_t> const f(zip_fopen_index(in.zip.get(), stat.index, 0));
  if (!f) in.fail(member);
  auto const n = zip_fread(f.get(), bytes.data(), bytes.size());
  std::byte more;
  if (n != static_cast<zip_int64_t>(bytes.size()) || zip_fread(f.get(), &more, 1) != 0)
    throw file_error(member, n < 0 ? static_cast<std::uint64_t>(0) : static_cast<std::uint64_t>(n),
                     "it cannot be unpacked: " + std::string(zip_error_strerror(zip_file_get_error(f.get()))));
  return bytes;
}

// What the archive says of a member. Packed, all members together are no more than the archive; unpacked, one is at most 1032 times as
// much, which is the most that deflate can do: so no size is believed that the file does not justify.
inline zip_stat_t stat_of(zip_archive const& in, zip_int64_t i, std::uint64_t& packed_left, std::string const& file) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat_index(in.zip.get(), static_cast<zip_uint64_t>(i), 0, &stat) != 0) in.fail(file);
  constexpr zip_uint64_t all = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((stat.valid & all) != all) throw file_error(file, "member " + std::to_string(i) + " of the archive has no name or no size");
  std::string const member = file + ":" + in_quotes(stat.name);
  if (stat.encryption_method != ZIP_EM_NONE) throw file_error(member, "it is encrypted");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) throw file_error(member, "it is neither stored nor deflated");
  constexpr std::uint64_t most_per_byte = 1032;
  if (stat.comp_size > packed_left || stat.size / most_per_byte > stat.comp_size)
    throw file_error(member, "it would have " + std::to_string(stat.size) + " bytes, packed in " + std::to_string(stat.comp_size) +
                                 ", which the archive is too small for");
  packed_left -= stat.comp_size;
  return stat;
}

// Writes the archive down and gives its bytes.
inline std::vector<std::byte> closed(zip_archive& out, std::string const& file) {
  zip_source_t* const source = out.source.get();
  if (zip_close(out.zip.get()) != 0) out.fail(file);
  [[maybe_unused]] zip_t* const gone = out.zip.release();
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
    throw file_error(file, zip_error_strerror(zip_source_error(source)));
  std::vector<std::byte> bytes = room_for(stat.size, file);
  auto const n = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (n != static_cast<zip_int64_t>(bytes.size())) throw file_error(file, "the archive cannot be made");
  return bytes;
}

}  // namespace detail

// The arrays of an archive in its order, each with the name of its member without .npy. Damage of any kind, members that are no .npy files and
// sparse arrays (of MXNet 2) are a file_error; `file` is the name it shows, with that of the member.
inline std::vector<array> parse_npz(std::span<std::byte const> bytes, std::string const& file) {
  reader const in_file(bytes, file);
  if (std::string const other = in_file.foreign(); !other.empty()) in_file.fail("this is not an .npz file; " + other);
  if (!in_file.starts_with("PK")) in_file.fail("this is not a zip archive: it does not begin with PK");
  detail::zip_archive const in(bytes, ZIP_RDONLY, file);
  std::vector<array> arrays;
  std::uint64_t packed_left = bytes.size();
  for (zip_int64_t i = 0; i < zip_get_num_entries(in.zip.get(), 0); ++i) {
    zip_stat_t const stat = detail::stat_of(in, i, packed_left, file);
    std::string const name = stat.name, member = file + ":" + in_quotes(name);
    if (name.ends_with("/format.npy")) throw file_error(member, "the array is sparse: save it dense");
    if (!name.ends_with(".npy")) throw file_error(member, "it is no .npy file");
    arrays.push_back(parse_npy(detail::unpack(in, stat, member), member));
    arrays.back().name = name.substr(0, name.size() - 4);
  }
  detail::check_names(file, arrays);
  return arrays;
}
//   auto arrays = sinter::io::read_npz("images.npz");
inline std::vector<array> read_npz(std::string const& path) { return parse_npz(read_file(path), path); }

// The archive of these arrays, as numpy.savez writes it: stored, not deflated. Arrays without a name are arr_0 and on.
inline std::vector<std::byte> npz_bytes(std::vector<array> const& arrays, std::string const& file) {
  std::vector<std::vector<std::byte>> members;
  bool const named = detail::have_names(arrays);
  if (named) detail::check_names(file, arrays);
  if (arrays.empty()) {  // of which libzip makes no archive at all
    constexpr char nothing[23] = "PK\5\6";
    auto const bytes = std::as_bytes(std::span(nothing)).first<22>();
    return {bytes.begin(), bytes.end()};
  }
  members.reserve(arrays.size());
  for (array const& a : arrays) members.push_back(npy_bytes(a));
  detail::zip_archive out({}, ZIP_TRUNCATE, file);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    zip_source_t* const data = zip_source_buffer(out.zip.get(), members[i].data(), members[i].size(), 0);
    std::string const name = (named ? arrays[i].name : "arr_" + std::to_string(i)) + ".npy";
    auto const at = data ? zip_file_add(out.zip.get(), name.c_str(), data, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) {
      zip_source_free(data);
      out.fail(file);
    }
    constexpr zip_uint16_t first_of_1980 = 1 << 5 | 1;  // no time at which it was written: the same arrays are the same bytes
    if (zip_set_file_compression(out.zip.get(), static_cast<zip_uint64_t>(at), ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(out.zip.get(), static_cast<zip_uint64_t>(at), 0, first_of_1980, 0) != 0)
      out.fail(file);
  }
  return detail::closed(out, file);
}
// As write_file does: the old file or the new one, never a half.
inline void write_npz(std::string const& path, std::vector<array> const& arrays) { write_file(path, npz_bytes(arrays, path)); }

// From here on the program has the format.
inline bool const has_npz = [] {
  codec& c = codec_of(file_format::npz);
  c.open = [](std::string const& path) { return array_file{path, read_npz(path), {{}, {}, array_order::kept}}; };
  c.parse = [](std::span<std::byte const> bytes, std::string const& file) {
    return array_file{file, parse_npz(bytes, file), {{}, {}, array_order::kept}};
  };
  c.write = [](std::string const& path, std::vector<array> const& arrays) { write_npz(path, arrays); };
  return true;
}();

}  // namespace sinter::io::inline SINTER_ISA
