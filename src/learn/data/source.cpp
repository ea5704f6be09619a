// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/source.hpp"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "learn/data/format.hpp"
#include "record/hcpe3.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;
using Path = std::filesystem::path;

std::span<const std::uint8_t> bytes_of(const base::MappedFile& file) {
    return {reinterpret_cast<const std::uint8_t*>(file.bytes().data()), file.size()};
}

class ArchiveSource final : public Source {
public:
    static Result<std::unique_ptr<Source>> open(const Path& path) {
        auto reader = record::ArchiveReader::open(path);
        if (!reader) return reader.error();
        std::error_code problem;
        const std::uint64_t size = std::filesystem::file_size(path, problem);
        if (problem) return Error{Error::Code::io, path.string() + ": " + problem.message()};
        return std::unique_ptr<Source>(new ArchiveSource(path, *std::move(reader), size));
    }

    // Provenance is met on the way to the game that follows it, which has to wait.
    Result<bool> next(Item& item) override {
        if (!waiting_) {
            const auto more = reader_.next(game_);
            if (!more) return more.error().in(path_.string());
            waiting_ = true;
            ended_ = !*more;
        }
        if (told_ < reader_.provenances().size()) {
            item = Provenance{reader_.provenances()[told_++]};
            return true;
        }
        if (ended_) return false;
        waiting_ = false;
        item = std::move(game_);
        return true;
    }

    [[nodiscard]] bool holds_games() const override { return true; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return ended_ ? size_ : reader_.offset(); }
    [[nodiscard]] std::uint64_t bytes() const override { return size_; }
    [[nodiscard]] std::uint64_t damaged_bytes() const override { return reader_.damaged_bytes(); }

    [[nodiscard]] Result<std::uint64_t> most_positions() const override {
        auto reader = record::ArchiveReader::open(path_);
        if (!reader) return reader.error();
        std::uint64_t sum = 0;
        for (std::vector<record::ArchivedHead> heads;;) {
            const auto more = reader->next_heads(heads);
            if (!more) return more.error().in(path_.string());
            if (!*more) return sum;
            for (const record::ArchivedHead& head : heads)
                sum += head.plies;
        }
    }

private:
    ArchiveSource(Path path, record::ArchiveReader reader, std::uint64_t size)
        : path_(std::move(path)), reader_(std::move(reader)), size_(size) {}

    Path path_;
    record::ArchiveReader reader_;
    std::uint64_t size_;
    record::ArchivedGame game_;
    bool waiting_ = false;
    bool ended_ = false;
    std::size_t told_ = 0;  // provenances
};

template <typename Record>
class RecordSource final : public Source {
public:
    static Result<std::unique_ptr<Source>> open(const Path& path) {
        auto file = base::MappedFile::open(path);
        if (!file) return file.error();
        const std::size_t rest = file->size() % Record::size;
        if (rest != 0)
            return Error{
                Error::Code::syntax,
                fmt::format("{}: {} bytes are no whole number of {} records of {} bytes; the last whole one ends at "
                            "byte {}",
                            path.string(), file->size(), name_of(Record::format), Record::size, file->size() - rest)};
        return std::unique_ptr<Source>(new RecordSource(path, *std::move(file)));
    }

    Result<bool> next(Item& item) override {
        if (at_ == file_.size()) return false;
        auto value = Record::read(bytes_of(file_).subspan(at_).template first<Record::size>());
        if (!value)
            return value.error().in(
                fmt::format("{}: record {} at byte {}", path_.string(), at_ / Record::size + 1, at_));
        at_ += Record::size;
        item = *value;
        return true;
    }

    [[nodiscard]] bool holds_games() const override { return false; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
    [[nodiscard]] std::uint64_t bytes() const override { return file_.size(); }
    [[nodiscard]] Result<std::uint64_t> most_positions() const override { return file_.size() / Record::size; }

private:
    RecordSource(Path path, base::MappedFile file) : path_(std::move(path)), file_(std::move(file)) {}

    Path path_;
    base::MappedFile file_;
    std::size_t at_ = 0;
};

class Hcpe3Source final : public Source {
public:
    static Result<std::unique_ptr<Source>> open(const Path& path) {
        auto file = base::MappedFile::open(path);
        if (!file) return file.error();
        return std::unique_ptr<Source>(new Hcpe3Source(path, *std::move(file)));
    }

    Result<bool> next(Item& item) override {
        if (at_ == file_.size()) return false;
        record::ArchivedGame game;
        const auto length = record::read_hcpe3(bytes_of(file_).subspan(at_), game);
        if (!length) return length.error().in(fmt::format("{}: game {} at byte {}", path_.string(), number_ + 1, at_));
        game.number = number_++;
        at_ += *length;
        item = std::move(game);
        return true;
    }

    [[nodiscard]] bool holds_games() const override { return true; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
    [[nodiscard]] std::uint64_t bytes() const override { return file_.size(); }
    // A move that has a score takes ten bytes, or more.
    [[nodiscard]] Result<std::uint64_t> most_positions() const override { return file_.size() / 10; }

private:
    Hcpe3Source(Path path, base::MappedFile file) : path_(std::move(path)), file_(std::move(file)) {}

    Path path_;
    base::MappedFile file_;
    std::size_t at_ = 0;
    std::uint64_t number_ = 0;
};

class Chain final : public Source {
public:
    explicit Chain(std::vector<std::unique_ptr<Source>> parts) : parts_(std::move(parts)) {}

    Result<bool> next(Item& item) override {
        for (; at_ < parts_.size(); ++at_) {
            auto more = parts_[at_]->next(item);
            if (!more || *more) return more;
        }
        return false;
    }

    [[nodiscard]] bool holds_games() const override {
        for (const auto& part : parts_)
            if (!part->holds_games()) return false;
        return true;
    }
    [[nodiscard]] std::uint64_t bytes_read() const override { return sum(&Source::bytes_read); }
    [[nodiscard]] std::uint64_t bytes() const override { return sum(&Source::bytes); }
    [[nodiscard]] std::uint64_t damaged_bytes() const override { return sum(&Source::damaged_bytes); }

    [[nodiscard]] Result<std::uint64_t> most_positions() const override {
        std::uint64_t all = 0;
        for (const auto& part : parts_) {
            const auto most = part->most_positions();
            if (!most) return most;
            all += *most;
        }
        return all;
    }

private:
    [[nodiscard]] std::uint64_t sum(std::uint64_t (Source::*member)() const) const {
        std::uint64_t all = 0;
        for (const auto& part : parts_)
            all += (part.get()->*member)();
        return all;
    }

    std::vector<std::unique_ptr<Source>> parts_;
    std::size_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<Source>> open_source(const Path& path) {
    switch (format_of(path)) {
        case Format::archive: return ArchiveSource::open(path);
        case Format::psv: return RecordSource<Psv>::open(path);
        case Format::hcpe: return RecordSource<Hcpe>::open(path);
        case Format::hcpe3: return Hcpe3Source::open(path);
    }
    std::abort();  // unreachable: the switch names every value
}

Result<std::unique_ptr<Source>> open_sources(const std::vector<Path>& paths) {
    std::vector<std::unique_ptr<Source>> parts;
    for (const Path& path : paths) {
        auto part = open_source(path);
        if (!part) return part.error();
        parts.push_back(*std::move(part));
    }
    return std::unique_ptr<Source>(std::make_unique<Chain>(std::move(parts)));
}

}  // namespace tsumugi::learn::data
