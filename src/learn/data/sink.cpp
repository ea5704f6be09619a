// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/sink.hpp"

#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "learn/data/format.hpp"
#include "learn/data/part_file.hpp"
#include "record/hcpe3.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;
using Path = std::filesystem::path;
using record::ArchivedGame;
using record::PackedSfenValue;

Error no_games(std::string_view place) {
    return Error{Error::Code::unsupported,
                 fmt::format("{} holds single positions: games cannot be made of them. Write .psv or .hcpe", place)};
}

class ArchiveSink final : public Sink {
public:
    static Result<std::unique_ptr<ArchiveSink>> open(const Path& path, PartFile::Start start) {
        auto part = PartFile::open(path, start);
        if (!part) return part.error();
        part->release();
        auto writer = record::ArchiveWriter::open(part->path());
        if (!writer) return writer.error();
        return std::unique_ptr<ArchiveSink>(new ArchiveSink(*std::move(part), *std::move(writer)));
    }

    Result<void> add(const Item& item) override {
        if (const auto* provenance = std::get_if<Provenance>(&item)) return writer_->add_provenance(provenance->text);
        if (const auto* game = std::get_if<ArchivedGame>(&item)) return writer_->add(*game);
        return no_games("the input");
    }
    Result<void> flush() override { return writer_->flush(); }
    Result<void> finish() override {
        if (const auto flushed = flush(); !flushed) return flushed;
        bytes_ = writer_->bytes();
        writer_.reset();
        return part_.finish();
    }
    [[nodiscard]] std::uint64_t bytes() const override { return writer_ ? writer_->bytes() : bytes_; }

    [[nodiscard]] Result<Beginning> beginning() const {
        auto reader = record::ArchiveReader::open(part_.path());
        if (!reader) return reader.error();
        Beginning found;
        for (std::vector<record::ArchivedHead> heads;;) {
            const auto more = reader->next_heads(heads);
            if (!more) return more.error().in(part_.path().string());
            found.provenances = reader->provenances().size();
            if (!*more) return found;
            found.items += heads.size();
            found.last_number = heads.back().number;
        }
    }

private:
    ArchiveSink(PartFile part, record::ArchiveWriter writer) : part_(std::move(part)), writer_(std::move(writer)) {}

    PartFile part_;
    std::optional<record::ArchiveWriter> writer_;  // none when finished
    std::uint64_t bytes_ = 0;
};

// How the items of a format become bytes.
template <typename Record>
struct PositionEncoder {
    static Result<void> append(const Item& item, std::string& out) {
        const auto add = [&out](const PackedSfenValue& value) { return Record::append(value, out); };
        if (const auto* game = std::get_if<ArchivedGame>(&item)) {
            const auto added = for_each_position(*game, add);
            return added ? added : added.error().in(fmt::format("game {}", game->number));
        }
        const auto* value = std::get_if<PackedSfenValue>(&item);
        return value != nullptr ? add(*value) : Result<void>();
    }
};

struct Hcpe3Encoder {
    static Result<void> append(const Item& item, std::string& out) {
        if (std::holds_alternative<PackedSfenValue>(item)) return no_games("the input");
        const auto* game = std::get_if<ArchivedGame>(&item);
        return game != nullptr ? record::append_hcpe3(*game, out) : Result<void>();
    }
};

template <typename Encoder>
class ByteSink final : public Sink {
public:
    static Result<std::unique_ptr<Sink>> open(const Path& path, PartFile::Start start, std::uint64_t kept_bytes) {
        auto part = PartFile::open(path, start);
        if (!part) return part.error();
        const int file = part->file().number();
        if (::ftruncate(file, static_cast<off_t>(kept_bytes)) != 0 || ::lseek(file, 0, SEEK_END) < 0)
            return base::system_error("cannot continue " + part->path().string());
        return std::unique_ptr<Sink>(new ByteSink(*std::move(part), kept_bytes));
    }

    Result<void> add(const Item& item) override {
        if (const auto added = Encoder::append(item, buffer_); !added) return added;
        return buffer_.size() < buffer_limit ? Result<void>() : write();
    }
    Result<void> flush() override {
        if (const auto written = write(); !written) return written;
        if (::fdatasync(part_.file().number()) != 0)
            return base::system_error("cannot force " + part_.path().string() + " to the disk");
        return {};
    }
    Result<void> finish() override {
        const auto flushed = flush();
        return flushed ? part_.finish() : flushed;
    }
    [[nodiscard]] std::uint64_t bytes() const override { return written_ + buffer_.size(); }

private:
    static constexpr std::size_t buffer_limit = std::size_t{1} << 20;

    ByteSink(PartFile part, std::uint64_t written) : part_(std::move(part)), written_(written) {}

    Result<void> write() {
        if (!base::write_all(part_.file().number(), buffer_))
            return base::system_error("cannot write " + part_.path().string());
        written_ += buffer_.size();
        buffer_.clear();
        return {};
    }

    PartFile part_;
    std::uint64_t written_;
    std::string buffer_;
};

template <typename Record>
Result<ResumedSink> resume_records(const Path& path, std::uint64_t unit) {
    std::error_code none;
    const std::uint64_t size = std::filesystem::file_size(PartFile::name_for(path), none);
    const std::uint64_t records = none ? 0 : size / Record::size / unit * unit;
    auto sink = ByteSink<PositionEncoder<Record>>::open(path, PartFile::Start::resumed, records * Record::size);
    if (!sink) return sink.error();
    return ResumedSink{*std::move(sink), {records, 0, 0}};
}

}  // namespace

Result<std::unique_ptr<Sink>> create_sink(const Path& path) {
    constexpr auto anew = PartFile::Start::anew;
    switch (format_of(path)) {
        case Format::archive: {
            auto sink = ArchiveSink::open(path, anew);
            if (!sink) return sink.error();
            return std::unique_ptr<Sink>(*std::move(sink));
        }
        case Format::psv: return ByteSink<PositionEncoder<Psv>>::open(path, anew, 0);
        case Format::hcpe: return ByteSink<PositionEncoder<Hcpe>>::open(path, anew, 0);
        case Format::hcpe3: return ByteSink<Hcpe3Encoder>::open(path, anew, 0);
    }
    std::abort();  // unreachable: the switch names every value
}

Result<ResumedSink> resume_sink(const Path& path, std::uint64_t unit) {
    switch (format_of(path)) {
        case Format::archive: {
            auto sink = ArchiveSink::open(path, PartFile::Start::resumed);
            if (!sink) return sink.error();
            const auto beginning = (*sink)->beginning();
            if (!beginning) return beginning.error();
            return ResumedSink{*std::move(sink), *beginning};
        }
        case Format::psv: return resume_records<Psv>(path, unit);
        case Format::hcpe: return resume_records<Hcpe>(path, unit);
        case Format::hcpe3:
            return Error{Error::Code::unsupported,
                         path.string() + ": hcpe3 cannot be written in parts; write an archive and convert it"};
    }
    std::abort();  // unreachable: the switch names every value
}

Result<void> check_output(const Path& output, const std::vector<Path>& inputs, bool overwrite) {
    for (const Path& input : inputs) {
        std::error_code problem;
        if (std::filesystem::equivalent(output, input, problem))
            return Error{Error::Code::io, fmt::format("{} is an input and cannot be written", output.string())};
        if (holds_games(format_of(output)) && !holds_games(format_of(input)))
            return no_games(fmt::format("{} ({})", input.string(), name_of(format_of(input))));
    }
    if (!overwrite && std::filesystem::exists(output))
        return Error{Error::Code::io, fmt::format("{} exists already; --force replaces it", output.string())};
    return {};
}

}  // namespace tsumugi::learn::data
