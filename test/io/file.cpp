// SPDX-License-Identifier: Apache-2.0
// Tests of what is read as a file: all of it, or one error, without waiting for ever and without more memory than the file is worth.
#include <sinter/io/npy.hpp>
#include <sinter/io/params.hpp>

#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <optional>

#include "../catch.hpp"
#include "bytes.hpp"

using namespace sinter;
using io_test::error_of;
using io_test::folder;
using io_test::has;
namespace fs = std::filesystem;

namespace {
std::string npy_error(std::string const& path) {
  return error_of([&] { io::read_npy(path); });
}
std::string params_error(std::string const& path) {
  return error_of([&] { io::read_params(path); });
}
// A header that asks for all of a file of so many bytes.
io_test::bytes header_for(std::uint64_t size) {
  std::string text = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(size - 128) + ",), }";
  text.resize(117, ' ');
  text += '\n';
  return io_test::builder().text("\x93NUMPY").number<std::uint8_t>(1).number<std::uint8_t>(0).number<std::uint16_t>(118).text(text).data;
}
}  // namespace

TEST_CASE("file: what is none is one error") {
  folder const here("file");
  for (auto const& error : {npy_error, params_error}) {
    CHECK(error("/dev/zero") == "0|it is a device, not a file");
    CHECK(error(here.path.string()) == "0|it is a directory, not a file");
    CHECK(has(error(here.file("none")), "0|the file cannot be opened: No such file"));
    CHECK(has(error(""), "0|the file cannot be opened: "));
    io_test::write(here.file("empty"), {});
    CHECK(error(here.file("empty")) == "0|the file is empty");
    REQUIRE(::mkfifo(here.file("pipe").c_str(), 0600) == 0);
    CHECK(error(here.file("pipe")) == "0|it is a pipe, not a file: write what it gives to a file first");
    fs::remove(here.file("pipe"));
    fs::create_symlink("/dev/zero", here.file("link"));
    CHECK(error(here.file("link")) == "0|it is a device, not a file");
    fs::remove(here.file("link"));
    fs::create_symlink(here.file("link"), here.file("link"));
    CHECK(has(error(here.file("link")), "0|the file cannot be opened: "));
    fs::remove(here.file("link"));
    if (fs::exists("/proc/self/status")) {
      CHECK(error("/proc/self/status") == "0|the file has no size, as those in /proc: copy it to another one first");
      CHECK(has(error("/proc/self/mem"), "0|"));
    }
  }
}

TEST_CASE("file: a terabyte of nothing takes no memory") {
  folder const here("file-sparse");
  auto const path = here.file("x");
  constexpr std::uint64_t size = 1ull << 40;
  io_test::write(path, {});
  fs::resize_file(path, size);
  CHECK(has(npy_error(path), "this is not an .npy file"));
  CHECK(has(params_error(path), "this is not an MXNet NDArray list"));
  io_test::write(path, header_for(size));
  fs::resize_file(path, size);
  CHECK(npy_error(path) == "0|the file has 1099511627776 bytes, but nearly all of them were never written");
  // As large as it says, and the array is not: the data are not read.
  io_test::write(path, header_for(1 << 20));
  fs::resize_file(path, 1 << 30);
  CHECK(npy_error(path) == "1048576|1072693248 bytes follow the data");
  fs::resize_file(path, 1 << 19);
  CHECK(npy_error(path) == "128|the file is truncated: the data of shape (1048448,) needs 1048448 bytes, 524160 are left");
  fs::resize_file(path, 1 << 20);
  CHECK(io::read_npy(path).data.size() == (1 << 20) - 128);
}

TEST_CASE("file: one that changes its size while it is read") {
  folder const here("file-changes");
  auto const path = here.file("x");
  for (std::size_t const n : {1000u, 131072u, 131073u, 400000u}) {
    io_test::write(path, io_test::bytes(n, std::byte{7}));
    CHECK(io::read_file(path) == io_test::bytes(n, std::byte{7}));
    CHECK(has(error_of([&] {
                io::read_file(path, [&](io::reader const& in) {
                  CHECK(in.left() == n);
                  fs::resize_file(path, n + 1);
                });
              }),
              std::to_string(n) + "|the file goes on here, and had " + std::to_string(n) + " bytes"));
  }
  CHECK(has(error_of([&] { io::read_file(path, [&](io::reader const&) { fs::resize_file(path, 200000); }); }),
            "200000|the file ends here, and had 400001 bytes when it was opened"));
}

TEST_CASE("file: an error says at which byte only where something was read") {
  CHECK_THROWS_WITH(io::read_npy("nowhere.npy"), Catch::StartsWith("sinter: nowhere.npy: the file cannot be opened: "));
  CHECK_THROWS_WITH(io::read_params("/"), "sinter: /: it is a directory, not a file");
  CHECK_THROWS_WITH(io::read_npy(""), Catch::StartsWith("sinter: '': the file cannot be opened: "));
  io::array const a{"a", dtype::uint8, {1}, {std::byte{1}}};
  CHECK_THROWS_WITH(io::write_npy("", a), "sinter: '': the file cannot be written: its name is empty");
  CHECK_THROWS_WITH(io::write_npy("nowhere/a.npy", a), Catch::StartsWith("sinter: nowhere/a.npy: the file cannot be created: No such"));
}

TEST_CASE("file: what is none is not replaced by one") {
  folder const here("file-kinds");
  io::array const a{"a", dtype::uint8, {3}, io_test::from_hex("010203")};
  auto const error = [&](std::string const& path) { return error_of([&] { io::write_npy(path, a); }); };
  std::string const pipe = here.file("pipe"), device = here.file("device"), link = here.file("link");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(error(pipe) == "0|it is a pipe, not a file");
  CHECK(fs::is_fifo(pipe));
  fs::create_symlink(pipe, link);
  CHECK(error(link) == "0|it is a pipe, not a file");
  CHECK((fs::is_symlink(link) && fs::is_fifo(pipe)));
  CHECK(error(here.path.string()) == "0|it is a directory, not a file");
  CHECK(error(here.path.string() + "/") == "0|it is a directory, not a file");
  if (::mknod(device.c_str(), S_IFCHR | 0600, ::makedev(1, 3)) == 0) {  // which not everybody may; it takes all and keeps nothing
    CHECK(error(device) == "0|it is a device, not a file");
    CHECK(fs::is_character_file(device));
  }
  fs::create_symlink(here.file("circle"), here.file("circle"));
  CHECK(has(error(here.file("circle")), "0|the file cannot be written: "));
  CHECK(fs::is_symlink(here.file("circle")));
  for (auto const& entry : fs::directory_iterator(here.path)) CHECK(!has(entry.path().string(), ".part"));
}

TEST_CASE("file: one that takes no other's place is removed, and what stopped programs left behind is named") {
  folder const here("file-left");
  std::string const path = here.file("a");
  {
    io::new_file<> const unused(path, {});
    CHECK(here.count() == 1);
  }
  CHECK(here.count() == 0);
  for (int i = 0; i < 100; ++i) io_test::write(path + ".part" + std::to_string(i), {});
  CHECK_THROWS_WITH(io::new_file<>(path, {}), Catch::Contains("remove " + path + ".part0 to .part99, which programs that were stopped"));
}

TEST_CASE("file: a link stays one, and its file keeps its mode") {
  folder const here("file-links");
  io::array const a{"a", dtype::uint8, {3}, io_test::from_hex("010203")};
  std::string const there = here.file("there"), file = there + "/file", first = here.file("first"), last = here.file("last");
  fs::create_directory(there);
  io_test::write(file, io_test::from_hex("00"));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_hard_link(file, there + "/hard");
  fs::create_symlink("there/file", last);  // relative to where the link lies
  fs::create_symlink(last, first);
  io::write_npy(first, a);
  CHECK((fs::is_symlink(first) && fs::is_symlink(last) && !fs::is_symlink(file)));
  CHECK(io::read_npy(file).data == a.data);
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(io::read_file(there + "/hard") == io_test::from_hex("00"));  // as the comment at write_file says
  fs::create_symlink("there/new", here.file("ahead"));  // to what is not there yet
  io::write_npy(here.file("ahead"), a);
  CHECK((fs::is_symlink(here.file("ahead")) && io::read_npy(there + "/new").data == a.data));
}

TEST_CASE("file: one that may not be written is not replaced") {
  folder const here("file-mode");
  io::array const a{"a", dtype::uint8, {1}, {std::byte{1}}};
  auto const path = here.file("a");
  io_test::write(path, io_test::from_hex("00"));
  fs::permissions(here.path, fs::perms::all);
  fs::permissions(path, fs::perms::owner_read | fs::perms::others_read);
  uid_t const me = ::geteuid(), nobody = 65534;
  if (me == 0) REQUIRE(::seteuid(nobody) == 0);  // root may write everything
  auto const said = error_of([&] { io::write_npy(path, a); });
  if (me == 0) REQUIRE(::seteuid(me) == 0);
  CHECK(said == "0|the file cannot be written: Permission denied");
  CHECK(io::read_file(path) == io_test::from_hex("00"));
}

namespace {
// No file of this process grows beyond so many bytes: what tries to is refused, as by a full disk, or kills the process.
struct file_limit {
  explicit file_limit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit const now{bytes, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  file_limit(file_limit const&) = delete;
  file_limit& operator=(file_limit const&) = delete;
  ~file_limit() { ::setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before{};
};
}  // namespace

TEST_CASE("file: a disk that is full leaves the old file, and nothing else") {
  folder const here("file-full");
  auto const path = here.file("a");
  io_test::write(path, io_test::from_hex("0102"));
  auto const before = std::signal(SIGXFSZ, SIG_IGN);
  for (std::size_t const room : {0u, 1u, 4096u, 99999u}) {
    file_limit const limit(room);
    CHECK(error_of([&] { io::write_file(path, io_test::bytes(100000)); }) == "0|the file cannot be written: File too large");
    CHECK(error_of([&] { io::write_file(here.file("b"), io_test::bytes(100000)); }) == "0|the file cannot be written: File too large");
    CHECK(io::read_file(path) == io_test::from_hex("0102"));
    CHECK(here.count() == 1);
  }
  std::signal(SIGXFSZ, before);
  if (fs::exists("/dev/full")) CHECK(error_of([&] { io::write_file("/dev/full", io_test::bytes(1)); }) == "0|it is a device, not a file");
}

TEST_CASE("file: a process that is killed while it writes leaves the old file") {
  folder const here("file-killed");
  auto const path = here.file("a");
  io_test::write(path, io_test::from_hex("0102"));
  io_test::bytes const first(5000), second(70000);
  for (rlim_t const room : {0u, 1u, 5000u, 5001u, 74999u}) {
    pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_DFL);
      rlimit const none{0, 0}, some{room, room};
      ::setrlimit(RLIMIT_CORE, &none);
      ::setrlimit(RLIMIT_FSIZE, &some);
      io::write_file(path, {first, second});
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ));
    CHECK(io::read_file(path) == io_test::from_hex("0102"));
  }
  io::write_file(path, {first, second});  // past what the dead have left
  CHECK(io::read_file(path).size() == 75000);
}

TEST_CASE("file: a small disk that is full leaves the old file, and nothing else") {
  folder const here("file-disk");
  if (::mount("tmpfs", here.path.c_str(), "tmpfs", 0, "size=64k") != 0) {
    WARN("not tested: no file system can be mounted here: " << std::strerror(errno));
    return;
  }
  auto const path = here.file("a");
  io_test::write(path, io_test::from_hex("0102"));
  for (std::size_t const size : {65536u, 100000u, 1000000u}) {
    CHECK(error_of([&] { io::write_file(path, io_test::bytes(size)); }) == "0|the file cannot be written: No space left on device");
    CHECK(error_of([&] { io::write_file(here.file("b"), io_test::bytes(size)); }) ==
          "0|the file cannot be written: No space left on device");
    CHECK(io::read_file(path) == io_test::from_hex("0102"));
    CHECK(here.count() == 1);
  }
  io::write_file(path, io_test::bytes(40000));
  CHECK(io::read_file(path).size() == 40000);
  CHECK(::umount(here.path.c_str()) == 0);
}

namespace {
// Runs f in a process of its own, and kills that before or behind one of its system calls, the n-th of these moments. False where it was done before.
// Nothing where processes cannot be traced here.
std::optional<bool> killed_at(int n, auto const& f) {
  pid_t const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    ::raise(SIGSTOP);
    f();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) return {};
  for (int i = 0; i < n && WIFSTOPPED(status); ++i) {
    REQUIRE(::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) == 0);
    REQUIRE(::waitpid(child, &status, 0) == child);
  }
  if (!WIFSTOPPED(status)) return false;
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, &status, 0) == child);
  return true;
}
}  // namespace

TEST_CASE("file: a process that is killed at any system call leaves the old file or the new one") {
  folder const here("file-killed-anywhere");
  auto const path = here.file("a");
  io_test::bytes const old(3000, std::byte{1}), first(5000, std::byte{2}), second(9000, std::byte{3});
  io_test::bytes whole = first;
  whole.insert(whole.end(), second.begin(), second.end());
  int olds = 0, news = 0;
  for (int n = 1;; ++n) {
    for (auto const& file : fs::directory_iterator(here.path)) fs::remove(file.path());
    io_test::write(path, old);
    std::optional<bool> const killed = killed_at(n, [&] { io::write_file(path, {first, second}); });
    if (!killed) {
      WARN("not tested: processes cannot be traced here");
      return;
    }
    io_test::bytes const found = io::read_file(path);
    bool const is_old = found == old, is_new = found == whole;
    CAPTURE(n, found.size());
    REQUIRE((is_old || is_new));
    olds += is_old;
    news += is_new;
    if (!*killed) break;
    CHECK(n < 1000);
  }
  CHECK(olds > 5);
  CHECK(news > 1);
}
