// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/shuffle.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/random.hpp"
#include "learn/data/format.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Error;
using base::Result;
using record::PackedSfenValue;

// Each is an open file.
constexpr std::size_t most_bins = 512;

// A position as temporary files hold it, and as it is sorted.
struct Ticket {
    std::uint64_t number = 0;  // random
    std::uint64_t order = 0;   // among the inputs: decides between equal numbers
    std::array<std::uint8_t, PackedSfenValue::size> bytes{};
};
static_assert(sizeof(Ticket) == 56);

// A temporary file that has no name and so cannot outlive the program.
class Bin {
public:
    Result<void> open(const std::filesystem::path& beside) {
        std::string name = beside.string() + ".XXXXXX";
        file_ = base::Descriptor(::mkostemp(name.data(), O_CLOEXEC));
        if (!file_.open()) return base::system_error("cannot create a temporary file beside " + beside.string());
        ::unlink(name.c_str());
        return {};
    }

    Result<void> add(const Ticket& ticket, std::size_t buffered) {
        pending_.push_back(ticket);
        return pending_.size() < buffered ? Result<void>() : flush();
    }

    Result<void> flush() {
        const std::string_view bytes(reinterpret_cast<const char*>(pending_.data()), pending_.size() * sizeof(Ticket));
        if (!base::write_all(file_.number(), bytes)) return base::system_error("cannot write a temporary file");
        count_ += pending_.size();
        pending_.clear();
        return {};
    }

    // Everything that was added. The file is closed and its place on the disk is free again.
    Result<std::vector<Ticket>> take() {
        if (const auto flushed = flush(); !flushed) return flushed.error();
        pending_.shrink_to_fit();
        std::vector<Ticket> tickets(count_);
        auto* to = reinterpret_cast<char*>(tickets.data());
        const std::size_t size = count_ * sizeof(Ticket);
        for (std::size_t done = 0; done < size;) {
            const ssize_t got = ::pread(file_.number(), to + done, size - done, static_cast<off_t>(done));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return base::system_error("cannot read a temporary file");
            done += static_cast<std::size_t>(got);
        }
        file_.close();
        return tickets;
    }

private:
    base::Descriptor file_;
    std::vector<Ticket> pending_;
    std::size_t count_ = 0;
};

class Shuffler {
public:
    static Result<Shuffler> open(const ShuffleSettings& settings, std::uint64_t most_positions) {
        // Chance fills some bins more than others.
        const std::uint64_t wanted = most_positions * sizeof(Ticket) / (settings.memory - settings.memory / 8) + 1;
        if (wanted > most_bins)
            return Error{Error::Code::limit,
                         fmt::format("{} positions cannot be shuffled with so little memory; --memory {} is enough",
                                     most_positions, (most_positions * sizeof(Ticket) / most_bins * 8 / 7 >> 20) + 1)};
        Shuffler shuffler(settings, static_cast<std::size_t>(wanted));
        for (Bin& bin : shuffler.bins_)
            if (const auto opened = bin.open(settings.output); !opened) return opened.error();
        return shuffler;
    }

    Result<void> add(const Item& item) {
        if (const auto* game = std::get_if<record::ArchivedGame>(&item))
            return for_each_position(*game, [this](const PackedSfenValue& value) { return add(value); });
        const auto* value = std::get_if<PackedSfenValue>(&item);
        return value != nullptr ? add(*value) : Result<void>();
    }

    Result<void> write_to(Sink& sink, const Monitor& monitor) {
        for (Bin& bin : bins_) {
            auto tickets = bin.take();
            if (!tickets) return tickets.error();
            std::sort(tickets->begin(), tickets->end(), [](const Ticket& a, const Ticket& b) {
                return std::pair(a.number, a.order) < std::pair(b.number, b.order);
            });
            for (const Ticket& ticket : *tickets) {
                const auto value = record::read_packed_sfen_value(ticket.bytes);
                if (!value) return value.error();
                if (const auto added = sink.add(*value); !added) return added;
            }
            if (monitor.stop.stop_requested()) return stopped();
        }
        return {};
    }

private:
    Shuffler(const ShuffleSettings& settings, std::size_t bins)
        : random_(settings.seed),
          bins_(bins),
          buffered_(std::clamp<std::size_t>(settings.memory / 2 / bins / sizeof(Ticket), 1, 1 << 14)) {}

    Result<void> add(const PackedSfenValue& value) {
        Ticket ticket;
        ticket.number = random_();
        ticket.order = order_++;
        write(value, ticket.bytes);
        // The leading bits, for any number of bins: bins follow each other in the order of the numbers.
        const auto bin = static_cast<std::size_t>((ticket.number >> 32) * bins_.size() >> 32);
        return bins_[bin].add(ticket, buffered_);
    }

    base::Random random_;
    std::vector<Bin> bins_;
    std::size_t buffered_;  // tickets of a bin
    std::uint64_t order_ = 0;
};

}  // namespace

Result<FlowReport> shuffle(const ShuffleSettings& settings, const Monitor& monitor) {
    if (holds_games(format_of(settings.output)))
        return Error{
            Error::Code::unsupported,
            fmt::format("{}: single positions are shuffled, so the output is .psv or .hcpe", settings.output.string())};
    if (const auto fine = check_output(settings.output, settings.inputs, settings.overwrite); !fine)
        return fine.error();
    const auto source = open_sources(settings.inputs);
    if (!source) return source.error();
    const auto most = (*source)->most_positions();
    if (!most) return most.error();
    auto shuffler = Shuffler::open(settings, *most);
    if (!shuffler) return shuffler.error();
    const auto sink = create_sink(settings.output);
    if (!sink) return sink.error();
    const auto report = pour(
        **source, [&](Item& item) { return shuffler->add(item); }, monitor);
    if (!report) return report;
    if (const auto written = shuffler->write_to(**sink, monitor); !written) return written.error();
    if (const auto finished = (*sink)->finish(); !finished) return finished.error();
    return report;
}

}  // namespace tsumugi::learn::data
