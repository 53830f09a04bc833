// SPDX-License-Identifier: Apache-2.0
// Parameters from and to files of other formats than MXNet's: told apart by their first bytes, all or none, by other names.
#include <sinter/io/safetensors.hpp>
#include <sinter/nn/layers/basic.hpp>
#include <sinter/nn/layers/recurrent.hpp>
#include <sinter/nn/load.hpp>
#include <sinter/nn/save.hpp>

#include <cstring>

#include "../catch.hpp"
#include "../io/bytes.hpp"

namespace {
using namespace sinter;
using io_test::folder;
using io_test::has;
std::string const from_torch = SINTER_SOURCE_DIR "/test/data/safetensors/torch.safetensors";
template <auto... D> using f32 = nd::tensor<float, shape<D...>>;
using mlp = nn::hybrid_sequential<nn::dense<3, nn::relu>, nn::dense<2>>;

float first_weight(auto const& net) { return net.template at<0>().weight.template data<shape<3, 4>>()(0, 0); }
std::string message_of(auto const& call) {
  try {
    call();
  } catch (error const& e) { return e.what(); }
  return "nothing was thrown";
}
void check_output(auto const& net) {
  io::safetensors const file(from_torch);
  auto const y = net(file.load<f32<1, 4>>("input"));
  auto const want = file.load<f32<1, 2>>("output");
  for (int i = 0; i < 2; ++i) CHECK(y[i] == Approx(want[i]).epsilon(1e-6));
}
}  // namespace

TEST_CASE("files: a model of PyTorch gives PyTorch's output") {
  nn::hybrid_sequential<nn::dense<3>, nn::activation<nn::relu>, nn::dense<2>> same;  // the same structure, behind a prefix
  nn::load_parameters(same, from_torch, {.ignore_extra = true});
  check_output(same);
  mlp net;  // its activations have no numbers
  nn::load_parameters(net, from_torch, {.ignore_extra = true});
  check_output(net);
  net.initialize(sinter::init::zero{});
  nn::load_parameters(net, from_torch,
                      {.ignore_extra = true,
                       .names = {{"model.layers.0.weight", "0.weight"},
                                 {"model.layers.0.bias", "0.bias"},
                                 {"model.layers.2.weight", "1.weight"},
                                 {"model.layers.2.bias", "1.bias"}}});
  check_output(net);
}

namespace {
struct coder : nn::hybrid_block<coder> {
  BOOST_HANA_DEFINE_STRUCT(coder, (nn::dense<3>, encode), (nn::dense<3>, decode));
  constexpr auto hybrid_forward(auto, auto const& x) const { return decode(encode(x)); }
};
}  // namespace

TEST_CASE("files: the order of a sorted file is no order of parameters") {
  folder const here("nn-order");
  std::vector<io::array> arrays;
  for (std::string const name : {"dense2", "dense1"})  // as encode and decode were written
    for (std::string const end : {"_weight", "_bias"})
      arrays.push_back({name + end, dtype::float32, end == "_bias" ? std::vector<extent>{3} : std::vector<extent>{3, 3}, {}});
  for (auto& a : arrays) a.data.resize(static_cast<std::size_t>(element_count(a)) * 4);
  io::write_safetensors(here.file("a"), arrays);
  coder net;
  for (auto const& options : {io::load_options{}, {.ignore_extra = true}, {.allow_missing = true, .ignore_extra = true}}) {
    std::string const said = message_of([&] { net.load_parameters(here.file("a"), options); });
    CHECK(has(said,
              here.file("a") + " are not those of the network: missing `encode.weight` (float32 (3, ?)), `encode.bias` (float32 (3,))"));
    CHECK(has(said, "; say with .names what they are called in the network: .names = {{\"dense1_bias\", \"its name in the network\"}}, "));
    CHECK(!has(said, ".by_order"));
  }
  CHECK(has(message_of([&] { nn::set_parameters(net, io::parse_safetensors(io::read_file(here.file("a")), "memory"), "memory"); }),
            "memory are not those of the network"));
  CHECK(!net.encode.weight.has_values());
  net.load_parameters(here.file("a"), {.names = {{"dense2_weight", "encode.weight"},
                                                 {"dense2_bias", "encode.bias"},
                                                 {"dense1_weight", "decode.weight"},
                                                 {"dense1_bias", "decode.bias"}}});
  CHECK(net.encode.weight.has_values());
  // MXNet's file keeps the order in which they were used; there the counters contradict it.
  io::write_params(here.file("b"), arrays);
  CHECK(has(message_of([&] { net.load_parameters(here.file("b")); }), "is ambiguous: by its place in "));
}

TEST_CASE("files: what PyTorch calls otherwise is proposed by its place") {
  folder const here("nn-torch");
  std::vector<io::array> arrays;
  for (std::string const name : {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"})
    arrays.push_back({"memory." + name, dtype::float32, name[0] == 'b' ? std::vector<extent>{12} : std::vector<extent>{12, 3}, {}});
  for (auto& a : arrays) a.data.resize(static_cast<std::size_t>(element_count(a)) * 4);
  io::write_safetensors(here.file("a"), arrays);
  nn::lstm<3> net;
  CHECK(has(message_of([&] { nn::load_parameters(net, here.file("a")); }),
            "missing `0.i2h_weight` (float32 (12, ?); `memory.weight_ih_l0` is PyTorch's name for it), `0.h2h_weight` (float32 (12, 3); "
            "`memory.weight_hh_l0` is PyTorch's name for it), `0.i2h_bias` (float32 (12,); `memory.bias_ih_l0` is PyTorch's name for it), "
            "`0.h2h_bias` (float32 (12,); `memory.bias_hh_l0` is PyTorch's name for it)"));
}

TEST_CASE("files: parameters from the bytes of a file") {
  folder const here("nn-bytes");
  mlp net, other;
  net.initialize();
  net(f32<1, 4>{});
  for (std::string const name : {"a.safetensors", "a.params"}) {
    nn::save_parameters(net, here.file(name));
    auto const bytes = io::read_file(here.file(name));
    std::string const what = name == "a.params" ? "MXNet's params in memory" : "a safetensors file in memory";
    other.initialize(sinter::init::zero{});
    auto const result = nn::load_parameters(other, std::span(bytes), {.map = true});  // which copies them
    CHECK(result.missing.empty());
    CHECK(first_weight(other) == first_weight(net));
    other.initialize(sinter::init::zero{});
    other.load_parameters(bytes);
    other.load_parameters(std::as_bytes(std::span(bytes)), {.ignore_extra = true});
    CHECK(first_weight(other) == first_weight(net));
    nn::hybrid_sequential<nn::dense<3>, nn::dense<5>> larger;
    CHECK(has(message_of([&] { nn::load_parameters(larger, bytes); }), "do not fit the arrays of their names in " + what + ": `1.weight`"));
    for (std::size_t const n : {std::size_t{30}, bytes.size() - 1})
      CHECK(message_of([&] { other.load_parameters(std::span(bytes).first(n)); }).starts_with("sinter: " + what + ", at byte "));
  }
  CHECK(has(message_of([&] { other.load_parameters(io::read_file(here.file("a.safetensors")), {.by_order = true}); }),
            "a safetensors file in memory has its arrays sorted by name"));
  auto const said_of = [&](io_test::bytes const& b) { return message_of([&] { other.load_parameters(b); }); };
  CHECK(said_of({}) == "sinter: a file in memory, at byte 0: it is empty");
  CHECK(has(said_of(io_test::start_of_zip("archive/data.pkl")), "sinter: a file in memory: it is a PyTorch checkpoint"));
  CHECK(said_of(io_test::start_of_zip("0.weight.npy")) ==
        "sinter: a file in memory: it is a zip archive of .npy files, which a program reads and writes if one of its files includes "
        "sinter/io/npz.hpp");
  CHECK(
      has(said_of(io_test::builder().text("\x93NUMPY").u64(0).data), "sinter: MXNet's params in memory, at byte 0: this is a single .npy"));
  CHECK(first_weight(other) == first_weight(net));
}

TEST_CASE("files: what is saved by its extension is loaded by its first bytes") {
  folder const here("nn-files");
  mlp net, other;
  net.initialize();
  net(f32<1, 4>{});
  for (std::string const name : {"a.safetensors", "a.params", "a"}) {
    nn::save_parameters(net, here.file(name));
    nn::load_parameters(other, here.file(name));
    CHECK(first_weight(other) == first_weight(net));
  }
  CHECK(io::safetensors(here.file("a.safetensors")).arrays()[0].name == "0.bias");
  CHECK(message_of([&] { nn::load_parameters(other, here.file("a.safetensors"), {.by_order = true}); }) ==
        "sinter: " + here.file("a.safetensors") +
            " has its arrays sorted by name, as every safetensors file, and not in the order of the parameters: leave .by_order out, and "
            "say with "
            ".names what they are called in the network");
  nn::hybrid_sequential<nn::dense<3>, nn::activation<nn::relu>, nn::dense<2>> counted;
  nn::load_parameters(counted, here.file("a.safetensors"));
  CHECK(first_weight(counted) == first_weight(net));
  nn::save_parameters(net, here.file("a.params"), {.format = io::file_format::safetensors});
  CHECK(io::read_file(here.file("a.params")) == io::read_file(here.file("a.safetensors")));
  CHECK(message_of([&] { nn::save_parameters(net, here.file("a.npz")); }) ==
        "sinter: " + here.file("a.npz") +
            ": it is a zip archive of .npy files, which a program reads and writes if one of its files includes sinter/io/npz.hpp");
  CHECK(here.count() == 3);
  for (std::string const name : {"a.onnx", "a.pt"})
    CHECK(has(message_of([&] { nn::save_parameters(net, here.file(name)); }), "parameters are .params, .safetensors or .npz"));
  // As Gluon spells it.
  net.save_parameters(here.file("a"));
  net.save_parameters(here.file("b"), {.format = io::file_format::safetensors});
  CHECK(io::read_file(here.file("b")) == io::read_file(here.file("a.safetensors")));
  other.initialize(sinter::init::zero{});
  other.load_parameters(here.file("a"));
  CHECK(first_weight(other) == first_weight(net));
  other.load_parameters(here.file("b"), {.ignore_extra = true});
  CHECK(first_weight(other) == first_weight(net));
  auto cut = io::read_file(here.file("b"));
  cut.resize(30);
  io_test::write(here.file("b"), cut);
  CHECK(has(message_of([&] { other.load_parameters(here.file("b")); }), "the file is truncated: the header needs"));
  io_test::write(here.file("b"), io_test::builder().text("\x08\x0a\x12\x06sinter").u64(0).u64(0).data);
  CHECK(has(message_of([&] { other.load_parameters(here.file("b")); }), "it seems to be an ONNX model, which onnx::load reads"));
  std::filesystem::remove(here.file("b"));
  auto half = io::read_params(here.file("a"));
  for (auto& a : half) a = {a.name, dtype::float16, a.shape, std::vector<std::byte>(a.data.size() / 2)};
  io::write_safetensors(here.file("half"), half);
  CHECK(has(message_of([&] { nn::load_parameters(net, here.file("half")); }), "{.cast_dtype = true} converts it"));
  nn::load_parameters(net, here.file("half"), {.cast_dtype = true});
  CHECK(first_weight(net) == 0);
}

TEST_CASE("files: what no reader takes is named, and what to do") {
  folder const here("nn-files-of-others");
  mlp net;
  auto const said_of = [&](io_test::bytes const& data) {
    io_test::write(here.file("a.pt"), data);
    std::string const s = message_of([&] { net.load_parameters(here.file("a.pt")); });
    return s.substr(std::min(s.size(), s.find(here.file("a.pt")) + here.file("a.pt").size()));
  };
  using io_test::builder;
  std::string const of_torch =
      ": it is a PyTorch checkpoint; write safetensors in Python: safetensors.torch.save_file(net.state_dict(), \"file.safetensors\")";
  CHECK(said_of(io_test::start_of_zip("archive/data.pkl")) == of_torch);
  CHECK(said_of(io_test::start_of_zip("net/data/0")) == of_torch);
  CHECK(said_of(builder().text("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.").data) == of_torch);
  CHECK(has(said_of(io_test::start_of_zip("0.weight.npy")), ": it is a zip archive of .npy files"));
  std::string const of_html = ": it is text, an HTML page: what was downloaded is the page of a site, and not the file";
  CHECK(said_of(builder().text("<!DOCTYPE html>\n<html>").data) == of_html);
  CHECK(said_of(builder().text("\n\n  <html lang=\"en\">").data) == of_html);
  CHECK(said_of(builder().text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n").data) ==
        ": it is text, a git-lfs pointer, whose file was not fetched: git lfs pull does that");
  CHECK(has(said_of(builder().text("no page").u64(0).data), "the file does not begin with 12 01 00 00 00 00 00 00"));
  // A header of safetensors that has 0x280 bytes is no pickle.
  std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  header.resize(0x280, ' ');
  CHECK(has(said_of(builder().u64(header.size()).text(header).f32(1).data), " are not those of the network: missing "));
}

TEST_CASE("files: one that fails in the middle leaves the network as it was") {
  mlp net;
  net.initialize();
  net(f32<1, 4>{});
  float const before = first_weight(net);
  auto arrays = nn::arrays_of(net);
  for (auto& a : arrays) a.data.clear();
  for (std::size_t fails = 0; fails <= 4; ++fails) {
    auto const said = message_of([&] {
      nn::set_parameters(net, arrays, "x", {},
                         {[&](std::size_t i, std::span<std::byte> to) {
                            if (i == fails) throw file_error("x", i, "it was cut");
                            std::fill(to.begin(), to.end(), std::byte{0});
                          },
                          {}});
    });
    CHECK(said == (fails < 4 ? "sinter: x, at byte " + std::to_string(fails) + ": it was cut" : "nothing was thrown"));
    CHECK(first_weight(net) == (fails < 4 ? before : 0));
  }
}

TEST_CASE("files: parameters may stay in the file") {
  folder const here("nn-map");
  std::string const path = here.file("a.safetensors");
  mlp net, mapped;
  net.initialize();
  f32<1, 4> const x{1, -2, 0.5f, 3};
  auto const y = net(x);
  nn::save_parameters(net, path);
  auto const before = io::read_file(path);
  nn::load_parameters(mapped, path, {.map = true});
  for (int i = 0; i < 2; ++i) CHECK(mapped(x)[i] == y[i]);
  float* const bias = mapped.at<1>().bias.storage().data();
  bias[0] = 9;  // into a page of this process's own
  CHECK(mapped.at<1>().bias.data<shape<2>>()[0] == 9);
  CHECK(io::read_file(path) == before);
  // Another file takes its place; this network stays on the old one.
  float const first = first_weight(net);
  net.at<0>().weight.set(f32<3, 4>());
  nn::save_parameters(net, path);
  CHECK(first_weight(mapped) == first);
  nn::load_parameters(mapped, path, {.map = true});
  CHECK(first_weight(mapped) == 0);
  // A params file, and elements of another type, are copied as ever.
  nn::save_parameters(net, here.file("a"));
  nn::load_parameters(mapped, here.file("a"), {.map = true});
  io::write_safetensors(path, {{"0.weight", dtype::float64, {3, 4}, std::vector<std::byte>(96)}});
  nn::load_parameters(mapped, path, {.allow_missing = true, .cast_dtype = true, .map = true});
}
