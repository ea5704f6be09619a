// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/batch.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/thread.hpp"

namespace tsumugi::learn {

Batch::Batch(const Plan& plan, std::size_t capacity)
    : plan_(plan),
      reader_(input_reader(plan.architecture.feature)),
      capacity_(capacity),
      targets_(capacity),
      rows_(2 * capacity * plan.input.active),
      bucket_of_(2 * capacity),
      jobs_(2 * capacity),
      entries_(2 * capacity * plan.input.active) {}

base::Result<void> Batch::read(const BatchRequest& request, int threads) {
    size_ = request.chosen.size();
    if (auto unpacked = unpack(request, threads); !unpacked) return unpacked;
    order_jobs();
    starts_.resize(chunks_.size() * (plan_.input.stride + 1));
    base::parallel_for(chunks_.size(), threads, [&](std::size_t i, int) { invert(i); });
    base::parallel_for(buckets_.size(), threads, [&](std::size_t i, int) { find_touched(buckets_[i]); });
    return {};
}

base::Result<void> Batch::unpack(const BatchRequest& request, int threads) {
    constexpr std::size_t part = 512;
    constexpr std::size_t ahead = 8;  // samples are scattered all over the memory
    std::vector<std::optional<base::Error>> problems((size_ + part - 1) / part);
    base::parallel_for(problems.size(), threads, [&](std::size_t p, int) {
        const std::size_t end = std::min(size_, (p + 1) * part);
        for (std::size_t i = p * part; i < end; ++i) {
            if (i + ahead < end) __builtin_prefetch(&request.samples[request.chosen[i + ahead]]);
            const std::uint32_t number = request.chosen[i];
            const Sample& sample = request.samples[number];
            const auto setup = record::from_packed_sfen(sample.position);
            if (!setup) {
                problems[p] = setup.error().in(fmt::format("sample {}", number));
                return;
            }
            const bool mirrored = request.mirror_key != 0 && (base::SplitMix64(request.mirror_key + number)() & 1) != 0;
            InputView own{0, rows_.data() + i * plan_.input.active};
            InputView other{0, rows_.data() + (capacity_ + i) * plan_.input.active};
            reader_(*setup, mirrored, own, other);
            bucket_of_[i] = plan_.buckets.bucket_of[own.block];
            bucket_of_[capacity_ + i] = plan_.buckets.bucket_of[other.block];
            targets_[i] = static_cast<float>(target_probability(
                sample.score, sample.result, sample.played != 0 ? request.lambda : 1, request.score_scale));
        }
    });
    for (const auto& problem : problems)
        if (problem) return *problem;
    return {};
}

void Batch::order_jobs() {
    std::vector<std::uint32_t> starts(plan_.buckets.count + 1);
    const auto for_each_job = [&](auto&& f) {
        for (const std::size_t side : {std::size_t{0}, capacity_})
            for (std::size_t i = side; i < side + size_; ++i)
                f(i);
    };
    for_each_job([&](std::size_t job) { ++starts[bucket_of_[job] + std::size_t{1}]; });
    for (std::size_t b = 0; b < plan_.buckets.count; ++b)
        starts[b + 1] += starts[b];
    chunks_.clear();
    buckets_.clear();
    for (std::size_t b = 0; b < plan_.buckets.count; ++b) {
        if (starts[b] == starts[b + 1]) continue;
        buckets_.push_back({b, chunks_.size(), 0, {}});
        for (std::size_t at = starts[b]; at < starts[b + 1]; at += chunk_jobs)
            chunks_.push_back({at, std::min(chunk_jobs, starts[b + 1] - at)});
        buckets_.back().chunks = chunks_.size() - buckets_.back().first_chunk;
    }
    for_each_job([&](std::size_t job) { jobs_[starts[bucket_of_[job]]++] = static_cast<std::uint32_t>(job); });
}

// From "the rows of a job" to "the jobs of a row", by counting.
void Batch::invert(std::size_t chunk) {
    const std::size_t stride = plan_.input.stride;
    const std::size_t active = plan_.input.active;
    std::uint32_t* const starts = starts_.data() + chunk * (stride + 1);
    std::fill(starts, starts + stride + 1, 0);
    const auto members = jobs(chunks_[chunk]);
    for (const std::uint32_t job : members)
        for (std::size_t i = 0; i < active; ++i)
            ++starts[rows(job)[i]];
    // Now counts; then where each row's part ends, counted down to where it starts while it is filled from behind.
    auto end = static_cast<std::uint32_t>(chunks_[chunk].first * active);
    for (std::size_t row = 0; row < stride; ++row)
        starts[row] = end += starts[row];
    starts[stride] = end;
    for (std::size_t n = members.size(); n-- > 0;)
        for (std::size_t i = active; i-- > 0;)
            entries_[--starts[rows(members[n])[i]]] = members[n];
}

void Batch::find_touched(Bucket& bucket) const {
    for (std::size_t row = 0; row < plan_.input.stride; ++row)
        for (std::size_t c = 0; c < bucket.chunks; ++c)
            if (!jobs_with(bucket.first_chunk + c, row).empty()) {
                bucket.touched.push_back(static_cast<std::uint16_t>(row));
                break;
            }
}

}  // namespace tsumugi::learn
