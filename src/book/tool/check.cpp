// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/tool/check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "record/sfen.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::book::tool {
namespace {

using base::Result;

class Checker {
public:
    Checker(Format format, const std::function<void(const std::string&)>& complain)
        : format_(format), complain_(complain) {}

    void check(const Entry& entry) {
        ++report.positions;
        report.moves += entry.moves.size();
        const std::string place = "sfen " + record::to_sfen(entry.position);
        check_order(entry, place);
        const auto position = shogi::Position::from(entry.position);
        if (!position) {
            ++report.impossible;
            return complain_(fmt::format("{}: {}", place, position.error().message));
        }
        if (entry.moves.empty()) ++report.empty;
        for (auto each = entry.moves.begin(); each != entry.moves.end(); ++each) {
            if (!position->is_legal(each->move)) {
                ++report.illegal;
                complain_(fmt::format("{}: the move {} is illegal", place, record::to_usi(each->move)));
            }
            const auto same = [&](const StoredMove& other) { return other.move == each->move; };
            if (std::any_of(entry.moves.begin(), each, same)) {
                ++report.doubled;
                complain_(fmt::format("{}: the move {} comes twice", place, record::to_usi(each->move)));
            }
        }
    }

    CheckReport report;

private:
    // Formats that are only read have no order of positions.
    void check_order(const Entry& entry, const std::string& place) {
        const auto key = order_key(format_, entry.position);
        if (!key) return;
        const bool first = report.positions == 1;
        if (!first && *key < last_key_) {
            ++report.out_of_order;
            complain_(place + ": comes after a position that should follow it");
        } else if (!first && *key == last_key_ && entry.position.move_number == last_ply_) {
            ++report.repeated;
            complain_(place + ": the position comes twice");
        }
        last_key_ = *key;
        last_ply_ = entry.position.move_number;
    }

    Format format_;
    const std::function<void(const std::string&)>& complain_;
    std::string last_key_;
    int last_ply_ = 0;
};

}  // namespace

Result<CheckReport> check(const std::filesystem::path& file, const std::function<void(const std::string&)>& complain,
                          const Advance& advance) {
    const auto format = required_format(file);
    if (!format) return format.error();
    Checker checker(*format, complain);
    auto source = open_source(file);
    if (!source) {
        if (source.error().code == base::Error::Code::io) return source.error();
        complain(source.error().message);
        checker.report.malformed = true;
        return checker.report;
    }
    checker.report.omission = (*source)->omission();
    Entry entry;
    for (;;) {
        const auto more = (*source)->next(entry);
        if (!more) {
            complain(more.error().message);
            checker.report.malformed = true;
            return checker.report;
        }
        if (!*more) return checker.report;
        checker.check(entry);
        advance((*source)->done(), (*source)->size());
    }
}

}  // namespace tsumugi::book::tool
