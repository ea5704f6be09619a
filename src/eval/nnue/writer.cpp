// SPDX-License-Identifier: GPL-3.0-or-later
#include <span>

#include "base/atomic_file.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/leb128.hpp"

namespace tsumugi::eval::nnue {
namespace {

template <typename T>
void append(std::string& out, std::span<const T> values) {
    out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

void append_word(std::string& out, std::uint32_t word) { append(out, std::span<const std::uint32_t>(&word, 1)); }

void append_layer(std::string& out, const Layer& layer) {
    append(out, std::span<const std::int32_t>(layer.bias));
    append(out, std::span<const std::int8_t>(layer.weights));
}

}  // namespace

Parameters::Parameters(const Architecture& a)
    : architecture(a),
      transformer_bias(static_cast<std::size_t>(a.width)),
      transformer_weights(static_cast<std::size_t>(a.width) * info(a.feature).inputs),
      stacks(a.stacks.count(), LayerStack{Layer(a.first_inputs(), a.first_outputs()),
                                          Layer(a.second_inputs(), a.second), Layer(a.second, 1)}),
      progress(a.stacks.progress > 1 ? progress_parameters : 0) {}

std::string net_file_bytes(const Parameters& parameters) {
    const Architecture& a = parameters.architecture;
    const std::string text = a.header_string();
    std::string out;
    out.reserve(1024 + a.transformer_bytes() + a.stacks.count() * (4 + a.stack_bytes()));
    append_word(out, 0x7AF32F16);
    append_word(out, a.file_hash());
    append_word(out, static_cast<std::uint32_t>(text.size()));
    out += text;
    append_word(out, a.transformer_hash());
    if (a.shape == Shape::product) {
        append_leb128(out, parameters.transformer_bias);
        append_leb128(out, parameters.transformer_weights);
    } else {
        append(out, std::span<const std::int16_t>(parameters.transformer_bias));
        append(out, std::span<const std::int16_t>(parameters.transformer_weights));
    }
    if (!parameters.progress.empty()) {
        append_word(out, progress_hash);
        append(out, std::span<const std::int32_t>(parameters.progress));
    }
    for (const LayerStack& stack : parameters.stacks) {
        append_word(out, a.network_hash());
        append_layer(out, stack.first);
        append_layer(out, stack.second);
        append_layer(out, stack.output);
    }
    return out;
}

base::Result<void> write_net(const std::filesystem::path& path, const Parameters& parameters) {
    return base::write_file(path, net_file_bytes(parameters));
}

}  // namespace tsumugi::eval::nnue
