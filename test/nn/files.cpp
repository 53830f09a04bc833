// SPDX-License-Identifier: Apache-2.0
// Parameters from and to files of other formats than MXNet's: told apart by their first bytes, all or none, by other names.
#include <sinter/io/safetensors.hpp>
#include <sinter/nn/layers.hpp>
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
  mlp net;
  CHECK(has(message_of([&] { nn::load_parameters(net, from_torch, {.ignore_extra = true}); }),
            "torch.safetensors are not those of the network: missing `1.weight` (float32 (2, ?)"));
  CHECK(!net.at<0>().weight.has_values());
  nn::load_parameters(net, from_torch,
                      {.ignore_extra = true,
                       .names = {{"model.layers.0.weight", "0.weight"},
                                 {"model.layers.0.bias", "0.bias"},
                                 {"model.layers.2.weight", "1.weight"},
                                 {"model.layers.2.bias", "1.bias"}}});
  check_output(net);
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
  std::string const differ = message_of([&] { nn::load_parameters(counted, here.file("a.safetensors")); });
  CHECK(has(differ, "; say with .names what they are called in the network"));
  CHECK(!has(differ, ".by_order"));
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
