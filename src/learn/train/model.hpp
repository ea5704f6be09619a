// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory.hpp"
#include "base/result.hpp"
#include "eval/nnue/parameter.hpp"
#include "learn/train/input.hpp"
#include "learn/train/kernel/kernel.hpp"

namespace tsumugi::learn {

// What is trained: the net that is written in the end, and how it is put together.
struct Plan {
    eval::nnue::Architecture architecture;
    InputShape input;
    KingBuckets king_buckets = KingBuckets::none;
    BucketMap buckets;
    // Rows that all places of the king have in common are learnt besides those of each place, and added to them.
    bool factorised = false;
    // The first hidden layer falls into so many parts (eval::nnue::falls_into).
    std::size_t parts = 1;

    std::size_t columns = 0;  // of a slice of the feature transformer
    std::size_t slices = 0;
    std::size_t first = 0;  // hidden neurons, padded to lane_unit
    std::size_t second = 0;

    // Fails for nets that cannot be trained.
    static base::Result<Plan> make(const eval::nnue::Architecture& architecture, KingBuckets king_buckets,
                                   bool factorised, std::size_t parts = 1);

    // Rows of the feature transformer, all buckets together.
    [[nodiscard]] std::size_t rows() const { return buckets.count * input.stride; }
    // Both players' slices: the inputs of the first hidden layer come in so many parts.
    [[nodiscard]] std::size_t panels() const { return 2 * slices; }
    // The hidden neurons that see a panel.
    [[nodiscard]] std::size_t neurons() const { return first / parts; }
    [[nodiscard]] std::size_t first_neuron(std::size_t panel) const { return panel / 2 / (slices / parts) * neurons(); }
};

// Parameters of one kind with the state of their optimiser.
struct Group {
    base::HugeArray<float> value;
    base::HugeArray<float> mean;    // of gradients
    base::HugeArray<float> square;  // of gradients, averaged
    base::HugeArray<float> average;
    float limit = 0;  // of the value, either sign

    [[nodiscard]] std::size_t size() const { return value.size(); }
};

// Everything a training run changes, besides its place in the data.
class Model {
public:
    // In this order in checkpoints. Tables of the feature transformer are [slice][row][column]; weights of hidden
    // layers are [output][input], those of the first [panel][output][column].
    enum Part : std::size_t {
        transformer,
        shared,  // added to the rows of every bucket
        transformer_bias,
        first,
        first_bias,
        second,
        second_bias,
        output,
        output_bias,
        parts
    };

    static base::Result<Model> create(const Plan& plan, std::uint64_t seed);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    [[nodiscard]] Group& group(Part part) { return groups_[part]; }
    [[nodiscard]] const Group& group(Part part) const { return groups_[part]; }
    [[nodiscard]] std::array<Group, parts>& groups() { return groups_; }
    [[nodiscard]] const std::array<Group, parts>& groups() const { return groups_; }
    // How often a row of the transformer was updated: rare ones have a clock of their own.
    [[nodiscard]] std::vector<std::uint32_t>& visits() { return visits_; }
    [[nodiscard]] const std::vector<std::uint32_t>& visits() const { return visits_; }
    std::uint64_t steps = 0;     // updates made
    std::uint64_t averaged = 0;  // states in the averages

    // Takes over a net of the same architecture. Buckets get the mean of their places.
    void assign(const eval::nnue::Parameters& parameters);
    // The net as files hold it: of the averages as soon as there are any.
    [[nodiscard]] eval::nnue::Parameters quantised() const;

    // Adds the present state to the averages.
    void average(const Kernel& kernel, int threads);

private:
    explicit Model(const Plan& plan) : plan_(plan) {}
    void randomise(std::uint64_t seed);
    void separate_common_rows();
    [[nodiscard]] const base::HugeArray<float>& result(Part part) const {
        return averaged > 0 ? groups_[part].average : groups_[part].value;
    }

    Plan plan_;
    std::array<Group, parts> groups_;
    std::vector<std::uint32_t> visits_;
};

}  // namespace tsumugi::learn
