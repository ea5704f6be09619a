// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "eval/nnue/file.hpp"
#include "eval/nnue/leb128.hpp"
#include "eval/nnue/recognition.hpp"

namespace tsumugi::eval::nnue {
namespace {

using Bytes = std::span<const std::byte>;

// The first is everybody's; the others occur in files of newer trainers with the same contents.
constexpr std::array<std::uint32_t, 4> versions{0x7AF32F16, 0x7AF32F17, 0x7AF32F20, 0x7AF32F21};
constexpr std::size_t longest_text = 1 << 14;

base::Error refused(std::string message) { return {base::Error::Code::unsupported, std::move(message)}; }

std::uint32_t take_word(Bytes& bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    bytes = bytes.subspan(sizeof word);
    return word;
}

template <typename T>
void take(Bytes& bytes, std::vector<T>& values) {
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    bytes = bytes.subspan(values.size() * sizeof(T));
}

void take(Bytes& bytes, LayerStack& stack) {
    for (Layer* layer : {&stack.first, &stack.second, &stack.output}) {
        take(bytes, layer->bias);
        take(bytes, layer->weights);
    }
}

base::Result<Header> read_header(Bytes& bytes) {
    Header header;
    header.file_bytes = bytes.size();
    if (bytes.size() < 12)
        return refused(fmt::format("{} bytes are too few for a net: the header alone has 12", bytes.size()));
    header.version = take_word(bytes);
    if (std::find(versions.begin(), versions.end(), header.version) == versions.end())
        return refused(fmt::format("not an nn.bin: it starts with {:#010x} instead of the version {:#010x}",
                                   header.version, versions[0]));
    header.file_hash = take_word(bytes);
    const std::uint32_t length = take_word(bytes);
    if (length > longest_text || length > bytes.size())
        return refused(fmt::format("the header announces a text of {} bytes, {} bytes follow", length, bytes.size()));
    header.text.assign(reinterpret_cast<const char*>(bytes.data()), length);
    bytes = bytes.subspan(length);
    return header;
}

bool starts_compressed(Bytes bytes) {
    return bytes.size() >= leb128_magic.size() &&
           std::memcmp(bytes.data(), leb128_magic.data(), leb128_magic.size()) == 0;
}

base::Result<NetFile> read_classic(Header header, Bytes body, std::string_view feature) {
    const auto architecture = recognise_classic(header, body, feature);
    if (!architecture) return architecture.error();
    NetFile net{std::move(header), Parameters(*architecture)};
    if (net.header.section_hashes) net.header.transformer_hash = take_word(body);
    take(body, net.parameters.transformer_bias);
    take(body, net.parameters.transformer_weights);
    if (net.header.section_hashes) net.header.network_hash = take_word(body);
    take(body, net.parameters.stacks[0]);
    return net;
}

// The numbers of "SFNN_HalfKA2_1024_7_64_c512_s64x8_k3k3", in order, as far as they are plain numbers.
std::vector<int> plain_numbers(std::string_view name) {
    std::vector<int> numbers;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of("_-{"), name.size());
        int value = 0;
        const auto [stop, error] = std::from_chars(name.data(), name.data() + end, value);
        if (error == std::errc() && stop == name.data() + end && end > 0) numbers.push_back(value);
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return numbers;
}

std::optional<Shards> shards_in(std::string_view name) {
    for (std::size_t at = name.find("_c"); at != std::string_view::npos; at = name.find("_c", at + 1)) {
        const std::string part(name.substr(at));
        Shards shards;
        if (std::sscanf(part.c_str(), "_c%d_s%dx%d", &shards.common, &shards.size, &shards.groups) == 3) return shards;
    }
    return std::nullopt;
}

std::optional<std::size_t> announced_stacks(std::string_view text) {
    const std::size_t at = text.find("LayerStack=");
    if (at == std::string_view::npos) return std::nullopt;
    std::size_t count = 0;
    const std::string_view digits = text.substr(at + 11);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end == digits.data()) return std::nullopt;
    return count;
}

// Hidden layers that fill `bytes` with whole stacks; the hash in front of every stack must be where it belongs.
bool fits(const Architecture& a, Bytes bytes, std::size_t stacks) {
    const std::size_t each = 4 + a.stack_bytes();
    if (bytes.size() != each * stacks) return false;
    for (std::size_t i = 0; i < stacks; ++i) {
        Bytes word = bytes.subspan(i * each, 4);
        if (take_word(word) != a.network_hash()) return false;
    }
    return true;
}

base::Result<void> find_layers(Architecture& a, const Header& header, Bytes stacks) {
    const std::size_t mark = header.text.find("Network=");
    const std::string name = mark == std::string::npos ? std::string() : header.text.substr(mark + 8);
    a.stacks = LayerStacks::from_name(name);
    if (const auto shards = shards_in(name)) a.shards = *shards;
    const std::size_t announced = announced_stacks(header.text).value_or(a.stacks.count());
    if (a.stacks.count() != announced) {
        const auto usual = LayerStacks::from_count(announced);
        if (!usual)
            return refused(
                fmt::format("{} layer stacks, but the header text does not say how one is chosen", announced));
        a.stacks = *usual;
    }
    const std::vector<int> numbers = plain_numbers(name);
    if (numbers.size() >= 3 && numbers[0] == a.width) {
        a.first = numbers[1];
        a.second = numbers[2];
        if (unsupported_reason(a).empty() && stacks.size() == announced * (4 + a.stack_bytes())) return {};
    }
    for (a.first = 7; a.first <= 128; a.first += a.first % 8 == 7 ? 1 : 7)
        for (a.second = 8; a.second <= 256; a.second += 8)
            if (unsupported_reason(a).empty() && fits(a, stacks, announced)) return {};
    return refused(fmt::format(
        "unknown shape: {} bytes behind the feature transformer ({} values wide) do not divide into {} layer "
        "stacks, or the file is truncated",
        stacks.size(), a.width, announced));
}

// Weights that an output may not see have no say.
void apply_shards(Parameters& parameters) {
    const Shards& shards = parameters.architecture.shards;
    if (shards.groups == 0) return;
    for (LayerStack& stack : parameters.stacks) {
        const int per_group = stack.first.outputs / shards.groups;
        for (int o = 0; o < stack.first.outputs; ++o) {
            const int start = shards.common + o / per_group * shards.size;
            for (int i = shards.common; i < stack.first.inputs; ++i)
                if (i < start || i >= start + shards.size) stack.first.weight(o, i) = 0;
        }
    }
}

base::Result<NetFile> read_product(Header header, Bytes body, std::string_view feature) {
    NetFile net{std::move(header), {}};
    Parameters& parameters = net.parameters;
    Architecture& a = parameters.architecture;
    a.shape = Shape::product;
    net.header.transformer_hash = take_word(body);
    auto bias = read_leb128(body);
    if (!bias) return bias.error().in("biases of the feature transformer");
    auto weights = read_leb128(body);
    if (!weights) return weights.error().in("weights of the feature transformer");
    if (bias->empty() || weights->size() % bias->size() != 0)
        return refused(fmt::format("{} weights are no multiple of {} biases", weights->size(), bias->size()));
    a.width = static_cast<int>(std::min<std::size_t>(bias->size(), 1 << 20));
    const std::size_t inputs = weights->size() / bias->size();
    const std::string_view wanted = feature.empty() ? feature_in_text(net.header.text) : feature;
    const FeatureInfo* found = nullptr;
    for (const FeatureInfo& each : all_features())
        if (each.inputs == inputs && (found == nullptr || names_feature(wanted, each))) found = &each;
    if (found == nullptr) return refused(fmt::format("unknown feature set: {} inputs", inputs));
    a.feature = found->feature;
    net.header.evidence = {"numbers of biases and weights"};
    if (names_feature(feature_in_text(net.header.text), *found))
        net.header.evidence.emplace_back("feature set in the header text");

    parameters.transformer_bias = std::move(*bias);
    parameters.transformer_weights = std::move(*weights);
    Bytes probe = body;
    if (probe.size() >= 4 && take_word(probe) == progress_hash) {
        parameters.progress.resize(progress_parameters);
        if (probe.size() < progress_parameters * 4) return refused("truncated inside the progress section");
        take(probe, parameters.progress);
        body = probe;
    }
    if (const auto layers = find_layers(a, net.header, body); !layers) return layers.error();
    if (const std::string reason = unsupported_reason(a); !reason.empty()) return refused(reason);
    if ((a.stacks.progress > 1) == parameters.progress.empty())
        return refused("the layer stacks and the progress section do not belong together");
    if (a.shards.groups > 0 &&
        (a.shards.common + a.shards.size * a.shards.groups != a.width || a.first_outputs() % a.shards.groups != 0))
        return refused("the parts of the first layer named in the header text do not add up");
    const LayerStack empty{Layer(a.first_inputs(), a.first_outputs()), Layer(a.second_inputs(), a.second),
                           Layer(a.second, 1)};
    parameters.stacks.assign(a.stacks.count(), empty);
    for (LayerStack& stack : parameters.stacks) {
        net.header.network_hash = take_word(body);
        take(body, stack);
    }
    apply_shards(parameters);
    return net;
}

}  // namespace

base::Result<NetFile> read_net_file(Bytes bytes, std::string_view feature) {
    auto header = read_header(bytes);
    if (!header) return header.error();
    if (bytes.size() > 4 && starts_compressed(bytes.subspan(4)))
        return read_product(std::move(*header), bytes, feature);
    return read_classic(std::move(*header), bytes, feature);
}

}  // namespace tsumugi::eval::nnue
