// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/thread.hpp"

namespace tsumugi::learn {
namespace {

void transpose(const float* from, float* to, std::size_t rows, std::size_t columns) {
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            to[c * rows + r] = from[r * columns + c];
}

void clip(float* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        values[i] = std::clamp(values[i], 0.0F, 1.0F);
}

void fill_rows(float* to, const float* row, std::size_t rows, std::size_t columns) {
    for (std::size_t r = 0; r < rows; ++r)
        std::memcpy(to + r * columns, row, columns * sizeof *to);
}

}  // namespace

DenseGradient::DenseGradient(const Plan& plan) {
    const std::array<std::size_t, Model::parts> sizes{0,
                                                      0,
                                                      plan.panels() * plan.columns,
                                                      plan.panels() * plan.first * plan.columns,
                                                      plan.first,
                                                      plan.first * plan.second,
                                                      plan.second,
                                                      plan.second,
                                                      lane_unit};
    std::size_t end = 0;
    for (std::size_t part = 0; part < sizes.size(); ++part) {
        starts_[part] = end;
        end += sizes[part];
    }
    values_ = base::AlignedArray<float>(end);
}

void DenseGradient::clear() {
    std::memset(values_.data(), 0, values_.size() * sizeof(float));
    loss = 0;
}

base::Result<Trainer> Trainer::create(Model& model, const Kernel& kernel, const LossSettings& loss,
                                      const OptimiserSettings& optimiser, std::size_t capacity, int threads) {
    const Plan& plan = model.plan();
    auto activations = base::HugeArray<float>::allocate(plan.panels() * capacity * plan.columns);
    if (!activations) return activations.error().in("activations of a batch");
    return Trainer(model, kernel, loss, optimiser, capacity, threads, std::move(*activations));
}

Trainer::Trainer(Model& model, const Kernel& kernel, const LossSettings& loss, const OptimiserSettings& optimiser,
                 std::size_t capacity, int threads, base::HugeArray<float> activations)
    : model_(model),
      plan_(model.plan()),
      kernel_(kernel),
      loss_(loss),
      optimiser_(optimiser),
      capacity_(capacity),
      threads_(threads),
      activations_(std::move(activations)),
      first_(plan_.panels() * plan_.columns * plan_.first),
      second_(plan_.first * plan_.second) {
    const std::size_t block = plan_.input.stride * plan_.columns;
    for (int i = 0; i < threads; ++i) {
        Worker& worker = workers_.emplace_back();
        worker.rows = base::AlignedArray<float>(block);
        worker.gradient = base::AlignedArray<float>(block);
        worker.shared = base::AlignedArray<float>(block);
        for (auto* array : {&worker.first, &worker.first_gradient})
            *array = base::AlignedArray<float>(tile * plan_.first);
        for (auto* array : {&worker.second, &worker.second_gradient})
            *array = base::AlignedArray<float>(tile * plan_.second);
        worker.panel_gradient = base::AlignedArray<float>(tile * plan_.columns);
    }
    for (std::size_t i = 0; i < shares; ++i)
        gradients_.emplace_back(plan_);
    // After so many updates the corrections are below one in a thousand.
    const double updates = std::log(1e-3) / std::log(optimiser_.square_keep);
    for (double n = 1; n <= updates; ++n)
        corrections_.push_back(
            {1 / (1 - std::pow(optimiser_.mean_keep, n)), 1 / (1 - std::pow(optimiser_.square_keep, n))});
    corrections_.push_back({1, 1});
    refresh_transposed();
}

double Trainer::step(const Batch& batch, double rate) {
    refresh_transposed();
    forward(batch);
    const double loss = hidden_backward(batch);
    count_visits(batch);
    ++model_.steps;
    base::parallel_for(plan_.slices, threads_, [&](std::size_t slice, int worker) {
        transformer_backward(batch, rate, slice, workers_[static_cast<std::size_t>(worker)]);
    });
    dense_update(rate);
    return loss;
}

std::vector<float> Trainer::outputs(const Batch& batch) {
    refresh_transposed();
    forward(batch);
    std::vector<float> result;
    for (std::size_t at = 0; at < batch.size(); at += tile) {
        const std::size_t count = std::min(tile, batch.size() - at);
        hidden_forward(at, count, workers_[0]);
        result.insert(result.end(), workers_[0].outputs.begin(),
                      workers_[0].outputs.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return result;
}

void Trainer::refresh_transposed() {
    const std::size_t size = plan_.first * plan_.columns;
    const float* from = model_.group(Model::first).value.data();
    for (std::size_t panel = 0; panel < plan_.panels(); ++panel)
        transpose(from + panel * size, first_.data() + panel * size, plan_.first, plan_.columns);
    transpose(model_.group(Model::second).value.data(), second_.data(), plan_.second, plan_.first);
}

// Work is cut by bucket and slice, so that the rows in use stay in the cache, and big buckets are cut once more.
void Trainer::forward(const Batch& batch) {
    struct Unit {
        const Batch::Bucket* bucket;
        std::size_t first_chunk;
        std::size_t slice;
    };
    std::vector<Unit> units;
    for (std::size_t slice = 0; slice < plan_.slices; ++slice)
        for (const Batch::Bucket& bucket : batch.buckets())
            for (std::size_t c = 0; c < bucket.chunks; c += forward_chunks)
                units.push_back({&bucket, c, slice});
    base::parallel_for(units.size(), threads_, [&](std::size_t i, int worker) {
        forward_part(batch, *units[i].bucket, units[i].first_chunk, units[i].slice,
                     workers_[static_cast<std::size_t>(worker)]);
    });
}

void Trainer::forward_part(const Batch& batch, const Batch::Bucket& bucket, std::size_t first_chunk, std::size_t slice,
                           Worker& worker) {
    const std::size_t columns = plan_.columns;
    const std::size_t stride = plan_.input.stride;
    const float* rows =
        model_.group(Model::transformer).value.data() + (slice * plan_.rows() + bucket.number * stride) * columns;
    if (plan_.factorised) {
        const float* common = model_.group(Model::shared).value.data() + slice * stride * columns;
        for (const std::uint16_t row : bucket.touched)
            kernel_.add(worker.rows.data() + row * columns, rows + row * columns, common + row * columns, columns);
        rows = worker.rows.data();
    }
    const float* bias = model_.group(Model::transformer_bias).value.data() + slice * columns;
    float* const to = panel(slice, 0);
    const std::size_t end = std::min(bucket.chunks, first_chunk + forward_chunks);
    for (std::size_t c = first_chunk; c < end; ++c)
        for (const std::uint32_t job : batch.jobs(batch.chunk(bucket.first_chunk + c)))
            kernel_.activate(to + job * columns, bias, rows, batch.rows(job), plan_.input.active, columns);
}

void Trainer::hidden_forward(std::size_t position, std::size_t count, Worker& worker) const {
    const std::size_t columns = plan_.columns;
    const std::size_t panel_size = capacity_ * columns;
    fill_rows(worker.first.data(), model_.group(Model::first_bias).value.data(), count, plan_.first);
    for (std::size_t p = 0; p < plan_.panels(); ++p) {
        const std::size_t o = plan_.first_neuron(p);
        kernel_.multiply({worker.first.data() + o, plan_.first,
                          activations_.data() + p * panel_size + position * columns, columns, 1,
                          first_.data() + p * columns * plan_.first + o, plan_.first, count, columns, plan_.neurons()});
    }
    clip(worker.first.data(), count * plan_.first);
    fill_rows(worker.second.data(), model_.group(Model::second_bias).value.data(), count, plan_.second);
    kernel_.multiply({worker.second.data(), plan_.second, worker.first.data(), plan_.first, 1, second_.data(),
                      plan_.second, count, plan_.first, plan_.second});
    clip(worker.second.data(), count * plan_.second);
    const float* weights = model_.group(Model::output).value.data();
    for (std::size_t i = 0; i < count; ++i) {
        float sum = model_.group(Model::output_bias).value[0];
        for (std::size_t o = 0; o < plan_.second; ++o)
            sum += worker.second[i * plan_.second + o] * weights[o];
        worker.outputs[i] = sum;
    }
}

void Trainer::hidden_tile(const Batch& batch, std::size_t position, std::size_t count, Worker& worker,
                          DenseGradient& gradient) {
    hidden_forward(position, count, worker);
    const std::size_t first = plan_.first;
    const std::size_t second = plan_.second;
    const double share = 1 / static_cast<double>(batch.size());
    const float* weights = model_.group(Model::output).value.data();
    float* const output_gradient = gradient.part(Model::output);
    for (std::size_t i = 0; i < count; ++i) {
        const LossPoint loss =
            loss_at(static_cast<double>(worker.outputs[i]), static_cast<double>(batch.targets()[position + i]), loss_);
        gradient.loss += loss.value;
        const auto slope = static_cast<float>(loss.slope * share);
        gradient.part(Model::output_bias)[0] += slope;
        for (std::size_t o = 0; o < second; ++o) {
            output_gradient[o] += slope * worker.second[i * second + o];
            worker.second_gradient[i * second + o] = slope * weights[o];
        }
    }
    kernel_.deactivate(worker.second.data(), worker.second_gradient.data(), gradient.part(Model::second_bias), count,
                       second);
    kernel_.multiply({gradient.part(Model::second), first, worker.second.data(), 1, second, worker.first.data(), first,
                      second, count, first});
    std::memset(worker.first_gradient.data(), 0, count * first * sizeof(float));
    kernel_.multiply({worker.first_gradient.data(), first, worker.second.data(), second, 1,
                      model_.group(Model::second).value.data(), first, count, second, first});
    kernel_.deactivate(worker.first.data(), worker.first_gradient.data(), gradient.part(Model::first_bias), count,
                       first);
    panels_backward(position, count, worker, gradient);
}

// The activations of the feature transformer are replaced by their gradients.
void Trainer::panels_backward(std::size_t position, std::size_t count, Worker& worker, DenseGradient& gradient) {
    const std::size_t columns = plan_.columns;
    const std::size_t first = plan_.first;
    const std::size_t size = first * columns;
    for (std::size_t p = 0; p < plan_.panels(); ++p) {
        float* const x = activations_.data() + (p * capacity_ + position) * columns;
        const std::size_t o = plan_.first_neuron(p);
        const std::size_t weights = p * size + o * columns;
        kernel_.multiply({gradient.part(Model::first) + weights, columns, worker.first.data() + o, 1, first, x, columns,
                          plan_.neurons(), count, columns});
        std::memset(worker.panel_gradient.data(), 0, count * columns * sizeof(float));
        kernel_.multiply({worker.panel_gradient.data(), columns, worker.first.data() + o, first, 1,
                          model_.group(Model::first).value.data() + weights, columns, count, plan_.neurons(), columns});
        kernel_.deactivate(x, worker.panel_gradient.data(), gradient.part(Model::transformer_bias) + p * columns, count,
                           columns);
    }
}

double Trainer::hidden_backward(const Batch& batch) {
    const std::size_t tiles = (batch.size() + tile - 1) / tile;
    base::parallel_for(shares, threads_, [&](std::size_t share, int worker) {
        gradients_[share].clear();
        for (std::size_t t = tiles * share / shares; t < tiles * (share + 1) / shares; ++t)
            hidden_tile(batch, t * tile, std::min(tile, batch.size() - t * tile),
                        workers_[static_cast<std::size_t>(worker)], gradients_[share]);
    });
    DenseGradient& sum = gradients_[0];
    for (std::size_t i = 1; i < shares; ++i) {
        kernel_.add(sum.data(), sum.data(), gradients_[i].data(), sum.size());
        sum.loss += gradients_[i].loss;
    }
    return sum.loss;
}

void Trainer::count_visits(const Batch& batch) {
    for (const Batch::Bucket& bucket : batch.buckets())
        for (const std::uint16_t row : bucket.touched)
            ++model_.visits()[bucket.number * plan_.input.stride + row];
}

void Trainer::transformer_backward(const Batch& batch, double rate, std::size_t slice, Worker& worker) {
    const std::size_t block = plan_.input.stride * plan_.columns;
    if (plan_.factorised) std::memset(worker.shared.data(), 0, block * sizeof(float));
    for (const Batch::Bucket& bucket : batch.buckets())
        bucket_backward(batch, bucket, rate, slice, worker);
    if (!plan_.factorised) return;
    Group& group = model_.group(Model::shared);
    kernel_.adam(group.value.data() + slice * block, group.mean.data() + slice * block,
                 group.square.data() + slice * block, worker.shared.data(), block,
                 adam_step(rate, model_.steps, group.limit));
}

// Sums up the gradients of all rows that a bucket's jobs have, and updates those rows.
void Trainer::bucket_backward(const Batch& batch, const Batch::Bucket& bucket, double rate, std::size_t slice,
                              Worker& worker) {
    const std::size_t columns = plan_.columns;
    for (const std::uint16_t row : bucket.touched)
        std::memset(worker.gradient.data() + row * columns, 0, columns * sizeof(float));
    for (std::size_t c = bucket.first_chunk; c < bucket.first_chunk + bucket.chunks; ++c)
        for (const std::uint16_t row : bucket.touched) {
            const auto jobs = batch.jobs_with(c, row);
            kernel_.gather(worker.gradient.data() + row * columns, panel(slice, 0), jobs.data(), jobs.size(), columns);
        }
    Group& group = model_.group(Model::transformer);
    for (const std::uint16_t row : bucket.touched) {
        const std::size_t number = bucket.number * plan_.input.stride + row;
        const std::size_t at = (slice * plan_.rows() + number) * columns;
        const float* gradient = worker.gradient.data() + row * columns;
        kernel_.adam(group.value.data() + at, group.mean.data() + at, group.square.data() + at, gradient, columns,
                     adam_step(rate, model_.visits()[number], group.limit));
        if (!plan_.factorised) continue;
        float* const common = worker.shared.data() + row * columns;
        kernel_.add(common, common, gradient, columns);
    }
}

void Trainer::dense_update(double rate) {
    DenseGradient& gradient = gradients_[0];
    // Both players' views share the bias: their panels are added up.
    float* const bias = gradient.part(Model::transformer_bias);
    for (std::size_t slice = 0; slice < plan_.slices; ++slice)
        kernel_.add(bias + slice * plan_.columns, bias + 2 * slice * plan_.columns,
                    bias + (2 * slice + 1) * plan_.columns, plan_.columns);
    for (std::size_t part = Model::transformer_bias; part < Model::parts; ++part) {
        Group& group = model_.groups()[part];
        kernel_.adam(group.value.data(), group.mean.data(), group.square.data(),
                     gradient.part(static_cast<Model::Part>(part)), group.size(),
                     adam_step(rate, model_.steps, group.limit));
    }
}

AdamStep Trainer::adam_step(double rate, std::uint64_t updates, float limit) const {
    const Correction& correction = corrections_[std::min(updates, std::uint64_t{corrections_.size()}) - 1];
    return {static_cast<float>(rate * correction.mean),
            static_cast<float>(rate * optimiser_.weight_decay),
            static_cast<float>(optimiser_.mean_keep),
            static_cast<float>(optimiser_.square_keep),
            static_cast<float>(correction.square),
            static_cast<float>(optimiser_.epsilon),
            limit};
}

}  // namespace tsumugi::learn
