// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/train/loss.hpp"
#include "learn/train/model.hpp"
#include "learn/train/sample.hpp"

namespace tsumugi::learn {

// Which samples make a batch and how they are looked at.
struct BatchRequest {
    std::span<const Sample> samples;
    std::span<const std::uint32_t> chosen;
    double lambda = 1;
    double score_scale = 600;
    // Samples are mirrored or not by this number and their own; 0 mirrors none.
    std::uint64_t mirror_key = 0;
};

// The inputs of a batch. A "job" is one player's view of one position: the side to move has jobs 0 to capacity-1, the
// other player the next ones. Jobs are ordered by bucket and cut into chunks whose rows and activations fit into a
// second-level cache; within a chunk every row knows the jobs that have it, so that its gradient can be summed up in
// registers. Nothing here depends on the number of threads.
class Batch {
public:
    // Jobs of one bucket that are handled together.
    struct Chunk {
        std::size_t first;  // in jobs()
        std::size_t count;
    };
    // All chunks of one bucket.
    struct Bucket {
        std::size_t number;
        std::size_t first_chunk;
        std::size_t chunks;
        std::vector<std::uint16_t> touched;  // rows that any of its jobs has
    };

    Batch(const Plan& plan, std::size_t capacity);

    // Fails when a sample's position cannot be unpacked.
    base::Result<void> read(const BatchRequest& request, int threads);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] std::span<const float> targets() const { return {targets_.data(), size_}; }
    [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }
    [[nodiscard]] const Chunk& chunk(std::size_t i) const { return chunks_[i]; }
    // The jobs of a chunk.
    [[nodiscard]] std::span<const std::uint32_t> jobs(const Chunk& chunk) const {
        return std::span(jobs_).subspan(chunk.first, chunk.count);
    }
    // The rows of a job.
    [[nodiscard]] const std::uint16_t* rows(std::uint32_t job) const { return rows_.data() + job * plan_.input.active; }
    // The jobs of a chunk that have a row.
    [[nodiscard]] std::span<const std::uint32_t> jobs_with(std::size_t chunk, std::size_t row) const {
        const std::uint32_t* starts = starts_.data() + chunk * (plan_.input.stride + 1);
        return std::span(entries_).subspan(starts[row], starts[row + 1] - starts[row]);
    }

private:
    static constexpr std::size_t chunk_jobs = 1024;

    base::Result<void> unpack(const BatchRequest& request, int threads);
    void order_jobs();
    void invert(std::size_t chunk);
    void find_touched(Bucket& bucket) const;

    const Plan& plan_;
    const InputReader reader_;
    const std::size_t capacity_;
    std::size_t size_ = 0;
    std::vector<float> targets_;
    std::vector<std::uint16_t> rows_;       // [job][active]
    std::vector<std::uint16_t> bucket_of_;  // [job]
    std::vector<std::uint32_t> jobs_;       // by bucket
    std::vector<Chunk> chunks_;
    std::vector<Bucket> buckets_;
    std::vector<std::uint32_t> entries_;  // jobs, by chunk and row
    std::vector<std::uint32_t> starts_;   // [chunk][row]: where the row's entries start
};

}  // namespace tsumugi::learn
