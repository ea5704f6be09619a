// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/train/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "base/hash.hpp"
#include "base/mapped_file.hpp"

namespace tsumugi::learn {
namespace {

using base::Error;
using base::Result;
using Path = std::filesystem::path;

constexpr std::string_view magic = "tsumugi training 1\n";

// Writes plain values one after the other and sums them up for the check at the end.
class Output {
public:
    explicit Output(base::AtomicFile file) : file_(std::move(file)) {}

    void bytes(std::string_view data) {
        if (!outcome_) return;
        sum_ = base::crc32c(data, sum_);
        outcome_ = file_.write(data);
    }
    template <typename T>
    requires(std::is_trivially_copyable_v<T>) void values(std::span<const T> data) {
        bytes({reinterpret_cast<const char*>(data.data()), data.size_bytes()});
    }
    template <typename T>
    void value(const T& one) {
        values(std::span<const T>(&one, 1));
    }
    Result<void> finish() {
        value(std::uint32_t{sum_});
        if (!outcome_) return outcome_;
        return file_.commit();
    }

private:
    base::AtomicFile file_;
    Result<void> outcome_;
    std::uint32_t sum_ = 0;
};

// Reads them back; a file that ends early leaves zeros and is found out by the check.
class Input {
public:
    explicit Input(std::string_view data) : data_(data) {}

    std::string_view bytes(std::size_t count) {
        const std::string_view part = data_.substr(0, count);
        data_.remove_prefix(part.size());
        return part;
    }
    template <typename T>
    void values(std::span<T> to) {
        const std::string_view part = bytes(to.size_bytes());
        if (part.size() == to.size_bytes() && !part.empty()) std::memcpy(to.data(), part.data(), part.size());
    }
    template <typename T>
    T value() {
        T one{};
        values(std::span<T>(&one, 1));
        return one;
    }
    std::string text() {
        const auto size = value<std::uint64_t>();
        return std::string(bytes(std::min<std::uint64_t>(size, data_.size())));
    }

private:
    std::string_view data_;
};

// What must agree before numbers can be taken over.
std::string plan_text(const Plan& plan) {
    return fmt::format("{}, {} king buckets{}{}", plan.architecture.name(), plan.buckets.count,
                       plan.factorised ? ", factorised" : "",
                       plan.parts == 1 ? "" : fmt::format(", {} parts", plan.parts));
}

struct Open {
    base::MappedFile file;
    Input input;
    std::string identity;
};

// A whole file whose plan fits, read up to its identity.
Result<Open> open(const Path& path, const Model& model) {
    auto file = base::MappedFile::open(path);
    if (!file) return file.error();
    const std::string_view all = file->text();
    constexpr std::size_t sum_size = sizeof(std::uint32_t);
    if (!all.starts_with(magic) || all.size() < magic.size() + sum_size)
        return Error{Error::Code::syntax, fmt::format("{} is no checkpoint of a training run", path.string())};
    const std::string_view body = all.substr(0, all.size() - sum_size);
    if (Input(all.substr(body.size())).value<std::uint32_t>() != base::crc32c(body))
        return Error{Error::Code::syntax, fmt::format("the checkpoint {} is damaged", path.string())};
    Input input(body.substr(magic.size()));
    const std::string plan = input.text();
    if (plan != plan_text(model.plan()))
        return Error{Error::Code::unsupported, fmt::format("the checkpoint {} is of a net {}, this one is {}",
                                                           path.string(), plan, plan_text(model.plan()))};
    std::string identity = input.text();
    return Open{std::move(*file), input, std::move(identity)};
}

}  // namespace

Result<void> write_checkpoint(const Path& path, const std::string& identity, const Model& model,
                              const TrainingPlace& place) {
    auto file = base::AtomicFile::create(path);
    if (!file) return file.error();
    Output out(std::move(*file));
    out.bytes(magic);
    for (const std::string& text : {plan_text(model.plan()), identity}) {
        out.value(std::uint64_t{text.size()});
        out.bytes(text);
    }
    // The weights first: they are all that a new run takes over.
    for (const Group& group : model.groups())
        out.values(group.value.view());
    for (const Group& group : model.groups())
        for (const auto* array : {&group.mean, &group.square, &group.average})
            out.values(array->view());
    out.values(std::span<const std::uint32_t>(model.visits()));
    out.value(model.steps);
    out.value(model.averaged);
    out.value(place.epoch);
    out.value(place.batch);
    out.value(place.loss_sum);
    out.value(place.positions);
    out.value(place.seconds);
    out.value(place.best_loss);
    out.value(std::uint64_t{place.epochs.size()});
    out.values(std::span<const EpochReport>(place.epochs));
    return out.finish();
}

Result<TrainingPlace> read_checkpoint(const Path& path, const std::string& identity, Model& model) {
    auto opened = open(path, model);
    if (!opened) return opened.error();
    if (opened->identity != identity)
        return Error{Error::Code::unsupported,
                     fmt::format("{} is the checkpoint of a run with other settings or data; choose another folder, or "
                                 "start from it with --init.\nthere: {}\nhere:  {}",
                                 path.string(), opened->identity, identity)};
    Input& in = opened->input;
    for (Group& group : model.groups())
        in.values(group.value.view());
    for (Group& group : model.groups())
        for (auto* array : {&group.mean, &group.square, &group.average})
            in.values(array->view());
    in.values(std::span<std::uint32_t>(model.visits()));
    model.steps = in.value<std::uint64_t>();
    model.averaged = in.value<std::uint64_t>();
    TrainingPlace place;
    place.epoch = in.value<std::uint64_t>();
    place.batch = in.value<std::uint64_t>();
    place.loss_sum = in.value<double>();
    place.positions = in.value<std::uint64_t>();
    place.seconds = in.value<double>();
    place.best_loss = in.value<double>();
    place.epochs.resize(in.value<std::uint64_t>());
    in.values(std::span<EpochReport>(place.epochs));
    return place;
}

bool is_checkpoint(const Path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string start(magic.size(), '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start == magic;
}

Result<void> read_checkpoint_weights(const Path& path, Model& model) {
    auto opened = open(path, model);
    if (!opened) return opened.error();
    for (Group& group : model.groups())
        opened->input.values(group.value.view());
    return {};
}

}  // namespace tsumugi::learn
