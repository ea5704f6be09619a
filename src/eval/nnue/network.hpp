// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory.hpp"
#include "base/result.hpp"
#include "eval/nnue/kernel/kernel.hpp"
#include "eval/nnue/parameter.hpp"

namespace tsumugi::eval::nnue {

// The parameters in the order in which a kernel reads them.
class Network {
public:
    // Fails only for lack of memory.
    static base::Result<Network> build(const Parameters& parameters, const Kernel& kernel);

    [[nodiscard]] const Architecture& architecture() const { return architecture_; }
    [[nodiscard]] const Kernel& kernel() const { return *kernel_; }
    // Values of one accumulator, padding included.
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] const std::int16_t* bias() const { return transformer_.data(); }
    [[nodiscard]] const std::int16_t* row(std::size_t input) const {
        return transformer_.data() + (input + 1) * static_cast<std::size_t>(width_);
    }
    // The result for a pair of accumulators, the side to move first, before any scaling.
    [[nodiscard]] std::int32_t propagate(const shogi::Board& board, const std::int16_t* own,
                                         const std::int16_t* other) const {
        if (architecture_.shape == Shape::classic) return kernel_->classic(tails_[0], own, other);
        return kernel_->product(tails_[architecture_.stacks.select(board, progress_)], own, other);
    }

private:
    Network() = default;

    void add_transformer(const Parameters& parameters);
    Dense add_dense(const Layer& layer, const std::vector<int>& places, int inputs);
    Dense add_first(const Layer& layer, const std::vector<int>& places, int side);
    void add_tail(const LayerStack& stack, const std::vector<int>& places);
    [[nodiscard]] std::vector<int> column_places() const;

    Architecture architecture_;
    const Kernel* kernel_ = nullptr;
    int width_ = 0;
    base::HugeArray<std::int16_t> transformer_;  // the bias, then a row per input
    std::vector<base::AlignedArray<std::int8_t>> weights_;
    std::vector<base::AlignedArray<std::int32_t>> biases_;
    std::vector<Tail> tails_;
    std::vector<std::int32_t> progress_;
};

}  // namespace tsumugi::eval::nnue
