// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory.hpp"
#include "learn/train/batch.hpp"
#include "learn/train/loss.hpp"
#include "learn/train/model.hpp"

namespace tsumugi::learn {

struct OptimiserSettings {
    double mean_keep = 0.9;
    double square_keep = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 0.01;
};

// Gradients of everything behind the feature transformer, and of its bias, in one array: threads sum up their shares of
// a batch apart.
class DenseGradient {
public:
    explicit DenseGradient(const Plan& plan);

    // Parts that follow the feature transformer's tables, in the order of Model::Part. The gradient of the
    // transformer's bias is kept for each panel.
    [[nodiscard]] float* part(Model::Part part) { return values_.data() + starts_[part]; }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] float* data() { return values_.data(); }
    [[nodiscard]] const float* data() const { return values_.data(); }
    void clear();

    double loss = 0;

private:
    std::array<std::size_t, Model::parts> starts_{};
    base::AlignedArray<float> values_;
};

// Forward, backward and optimiser steps on a model. The result does not depend on the number of threads: sums are
// divided into fixed shares and put together in a fixed order.
class Trainer {
public:
    // Fails for lack of memory.
    static base::Result<Trainer> create(Model& model, const Kernel& kernel, const LossSettings& loss,
                                        const OptimiserSettings& optimiser, std::size_t capacity, int threads);

    // One step on the batch. Returns the sum of the losses before it.
    double step(const Batch& batch, double rate);

    // The outputs of the net for a batch, without learning.
    std::vector<float> outputs(const Batch& batch);

private:
    static constexpr std::size_t tile = 64;  // positions that pass the hidden layers together
    static constexpr std::size_t shares = 32;
    static constexpr std::size_t forward_chunks = 8;

    // What one thread works on.
    struct Worker {
        base::AlignedArray<float> rows;      // of one bucket and slice: common and own ones added up
        base::AlignedArray<float> gradient;  // of the same rows
        base::AlignedArray<float> shared;    // gradient of the common rows of a slice
        base::AlignedArray<float> first;     // [position of a tile][neuron]
        base::AlignedArray<float> second;
        base::AlignedArray<float> first_gradient;
        base::AlignedArray<float> second_gradient;
        base::AlignedArray<float> panel_gradient;
        std::array<float, tile> outputs;
    };

    Trainer(Model& model, const Kernel& kernel, const LossSettings& loss, const OptimiserSettings& optimiser,
            std::size_t capacity, int threads, base::HugeArray<float> activations);

    void refresh_transposed();
    void forward(const Batch& batch);
    void forward_part(const Batch& batch, const Batch::Bucket& bucket, std::size_t first_chunk, std::size_t slice,
                      Worker& worker);
    void hidden_forward(std::size_t position, std::size_t count, Worker& worker) const;
    void hidden_tile(const Batch& batch, std::size_t position, std::size_t count, Worker& worker,
                     DenseGradient& gradient);
    void panels_backward(std::size_t position, std::size_t count, Worker& worker, DenseGradient& gradient);
    double hidden_backward(const Batch& batch);
    void count_visits(const Batch& batch);
    void transformer_backward(const Batch& batch, double rate, std::size_t slice, Worker& worker);
    void bucket_backward(const Batch& batch, const Batch::Bucket& bucket, double rate, std::size_t slice,
                         Worker& worker);
    void dense_update(double rate);

    // Moments start at zero and are too small at first; how much depends on the updates there have been.
    struct Correction {
        double mean;
        double square;
    };
    [[nodiscard]] AdamStep adam_step(double rate, std::uint64_t updates, float limit) const;
    [[nodiscard]] float* panel(std::size_t slice, std::size_t side) {
        return activations_.data() + (2 * slice + side) * capacity_ * plan_.columns;
    }

    Model& model_;
    const Plan& plan_;
    const Kernel& kernel_;
    const LossSettings loss_;
    const OptimiserSettings optimiser_;
    const std::size_t capacity_;
    const int threads_;
    std::vector<Correction> corrections_;  // by updates
    base::HugeArray<float> activations_;   // [slice][side][position][column], then their gradients
    base::AlignedArray<float> first_;      // weights of the first layer, [panel][column][output]
    base::AlignedArray<float> second_;     // [input][output]
    std::vector<Worker> workers_;
    std::vector<DenseGradient> gradients_;
};

}  // namespace tsumugi::learn
