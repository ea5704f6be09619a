// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/tool/minimax_book.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/thread.hpp"
#include "book/format/ybb.hpp"
#include "book/non_promotion.hpp"
#include "book/silence.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::book::tool {
namespace {

using base::Error;
using base::Result;
namespace fs = std::filesystem;

// Finds positions of a binary book by hash: less than 8 bytes a position.
class KeyIndex {
public:
    explicit KeyIndex(const YbbView& view) : view_(view), slots_(std::bit_ceil(view.size() * 4 / 3 + 1), 0) {
        for (std::uint64_t i = 0; i < view.size(); ++i)
            slots_[free_slot(view.key(i))] = static_cast<std::uint32_t>(i + 1);
    }

    [[nodiscard]] std::optional<Graph::Node> find(const shogi::Setup& position) const {
        const auto packed = record::to_packed_sfen(position);
        if (!packed) return std::nullopt;
        const std::string_view key(reinterpret_cast<const char*>(packed->bytes.data()), packed->bytes.size());
        for (std::size_t slot = home(key); slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
            if (view_.key(slots_[slot] - 1) == key) return slots_[slot] - 1;
        return std::nullopt;
    }
    [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(slots_[0]); }

private:
    [[nodiscard]] std::size_t home(std::string_view key) const { return base::xxhash64(key) & (slots_.size() - 1); }
    [[nodiscard]] std::size_t free_slot(std::string_view key) const {
        std::size_t slot = home(key);
        while (slots_[slot] != 0)
            slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }

    const YbbView& view_;
    std::vector<std::uint32_t> slots_;
};

// The moves of an entry with where they lead. Illegal ones are left out.
struct Branch {
    StoredMove stored;
    std::optional<Graph::Edge> edge;  // none where nothing is known of what the move is worth
};

struct Branches {
    std::vector<Branch> list;
    bool in_check = false;
    bool valued = false;  // some move has a value of its own
    std::size_t illegal = 0;
};

// A move into the book counts for what is found there, and any other for its own value, if it has one.
std::optional<Graph::Edge> edge_of(const StoredMove& stored, const std::optional<Graph::Node>& child) {
    if (child) return Graph::Edge::to(*child);
    if (!stored.value) return std::nullopt;
    return Graph::Edge::leaf(std::clamp(*stored.value, -mate_value, mate_value),
                             std::clamp(stored.depth.value_or(0), 0, Graph::greatest_depth));
}

// Positions that are known to be silent count as not in the book.
Branches branches_of(const Entry& entry, const KeyIndex& index, const std::vector<bool>& silent) {
    Branches branches;
    auto position = shogi::Position::from(entry.position);
    if (!position) {
        branches.illegal = entry.moves.size();
        return branches;
    }
    branches.in_check = position->in_check();
    for (const StoredMove& each : entry.moves) {
        if (!position->is_legal(each.move)) {
            ++branches.illegal;
            continue;
        }
        position->do_move(each.move);
        auto child = index.find(position->setup());
        position->undo_move();
        if (child && !silent.empty() && silent[*child]) child.reset();
        branches.valued = branches.valued || each.value;
        branches.list.push_back({each, edge_of(each, child)});
    }
    return branches;
}

class Backup {
public:
    Backup(const MinimaxOptions& options, const YbbView& view) : options_(options), view_(view), index_(view) {}

    Result<void> build(const Advance& advance) {
        if (auto connected = connect(advance); !connected) return connected;
        silent_ = find_silent(graph_, std::move(valued_));
        report_.silent = static_cast<std::uint64_t>(std::count(silent_.begin(), silent_.end(), true));
        // Moves to silent positions are moves out of the book, which needs a look at their own values.
        return report_.silent == 0 ? Result<void>() : connect(advance);
    }

    void solve() {
        solutions_.clear();
        solutions_.push_back(std::make_unique<Minimax>(graph_, RepetitionRule{options_.draw_black}));
        if (options_.draw_white != -options_.draw_black)
            solutions_.push_back(std::make_unique<Minimax>(graph_, RepetitionRule{-options_.draw_white}));
        for (const auto& each : solutions_)
            each->solve();
        report_.summary = solutions_.front()->summary();
        report_.bytes = graph_.bytes() + index_.bytes() + solutions_.size() * solutions_.front()->bytes();
    }

    // Replaces the values of an entry by the backed-up ones, the best move first.
    void apply(Entry& entry) {
        const bool white = entry.position.side_to_move == shogi::Color::white;
        const Minimax& solution = *solutions_[white ? solutions_.size() - 1 : 0];
        auto branches = branches_of(entry, index_, silent_).list;
        if (branches.empty()) return;
        sort_best_first(entry.moves);
        const shogi::Move best_before = entry.moves.front().move;
        std::stable_sort(branches.begin(), branches.end(), [&](const Branch& a, const Branch& b) {
            if (!a.edge || !b.edge) return a.edge.has_value() && !b.edge.has_value();
            return solution.better(solution.worth(*a.edge), solution.worth(*b.edge), white);
        });
        const bool known = branches.front().edge.has_value();
        const Worth best = known ? solution.worth(*branches.front().edge) : Worth();
        entry.moves.clear();
        for (Branch& each : branches) {
            if (each.edge && !each.edge->is_leaf()) {
                const Worth worth = solution.worth(*each.edge);
                const bool detour = worth.value == best.value && worth.distance != best.distance;
                each.stored.value = worth.value - (detour ? 1 : 0);
                each.stored.depth = worth.depth;
            }
            entry.moves.push_back(std::move(each.stored));
        }
        if (known && entry.moves.front().move != best_before) ++report_.best_changed;
    }

    [[nodiscard]] const MinimaxReport& report() const { return report_; }

private:
    // Makes the graph of all positions.
    Result<void> connect(const Advance& advance) {
        static constexpr std::size_t batch_size = 4096;
        report_.moves = report_.inner_moves = report_.illegal = 0;
        valued_.clear();
        graph_ = {};
        graph_.reserve(view_.size(), view_.size() * 2);
        std::vector<std::optional<Result<Branches>>> batch;
        for (std::uint64_t first = 0; first < view_.size(); first += batch_size) {
            const std::size_t count = std::min<std::uint64_t>(batch_size, view_.size() - first);
            batch.assign(count, std::nullopt);
            std::vector<shogi::Color> sides(count);
            base::parallel_for(count, options_.threads, [&](std::size_t i, int) {
                const auto entry = view_.entry(first + i);
                if (!entry) {
                    batch[i].emplace(entry.error());
                    return;
                }
                sides[i] = entry->position.side_to_move;
                batch[i].emplace(branches_of(*entry, index_, silent_));
            });
            for (std::size_t i = 0; i < count; ++i) {
                if (!*batch[i]) return batch[i]->error();
                add(sides[i], **batch[i]);
            }
            advance(first + count, view_.size());
        }
        report_.positions = view_.size();
        return {};
    }

    void add(shogi::Color side, const Branches& branches) {
        graph_.add(side, branches.in_check);
        valued_.push_back(branches.valued);
        for (const Branch& each : branches.list) {
            if (!each.edge) continue;
            graph_.add(*each.edge);
            report_.inner_moves += each.edge->is_leaf() ? 0U : 1U;
        }
        report_.moves += branches.list.size();
        report_.illegal += branches.illegal;
    }

    const MinimaxOptions& options_;
    const YbbView& view_;
    KeyIndex index_;
    Graph graph_;
    std::vector<bool> valued_;  // positions with a move that has a value of its own
    std::vector<bool> silent_;  // empty until it is known which are
    std::vector<std::unique_ptr<Minimax>> solutions_;
    MinimaxReport report_;
};

// A binary form of the input to find positions in; removed at the end if it had to be made.
class BinaryForm {
public:
    static Result<BinaryForm> of(const MinimaxOptions& options, const Advance& advance) {
        const auto format = required_format(options.input);
        if (!format) return format.error();
        BinaryForm form;
        form.path_ = options.input;
        if (*format == Format::ybb) return form;
        form.path_ = options.output.parent_path() / ("." + options.output.filename().string() + ".minimax.ybb");
        form.temporary_ = true;
        Pipeline pipeline;
        pipeline.inputs = {options.input};
        pipeline.output = form.path_;
        pipeline.options = options.writing;
        pipeline.overwrite = true;
        const auto converted = run(pipeline, advance);
        if (!converted) return converted.error();
        form.omissions_ = converted->omissions;
        return form;
    }

    BinaryForm(BinaryForm&& other) noexcept
        : path_(std::move(other.path_)),
          temporary_(std::exchange(other.temporary_, false)),
          omissions_(std::move(other.omissions_)) {}
    BinaryForm& operator=(BinaryForm&&) = delete;
    ~BinaryForm() {
        std::error_code ignored;
        if (temporary_) fs::remove(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] const std::vector<std::string>& omissions() const { return omissions_; }

private:
    BinaryForm() = default;

    fs::path path_;
    bool temporary_ = false;
    std::vector<std::string> omissions_;
};

Result<void> rewrite(const MinimaxOptions& options, Backup& backup, const Advance& advance) {
    auto output = Output::create(options.output, options.writing);
    if (!output) return output.error();
    auto source = open_source(options.input);
    if (!source) return source.error();
    Entry entry;
    for (;;) {
        const auto more = (*source)->next(entry);
        if (!more) return more.error();
        if (!*more) return output->finish([] {});
        backup.apply(entry);
        if (options.non_promotions) add_equivalent_non_promotions(entry);
        if (auto added = output->add(entry); !added) return added;
        advance((*source)->done(), (*source)->size());
    }
}

}  // namespace

Result<MinimaxReport> minimax(const MinimaxOptions& options, const std::function<void(const std::string&)>& stage,
                              const Advance& advance) {
    if (!options.overwrite && fs::exists(options.output))
        return Error{Error::Code::io,
                     fmt::format("{}: exists already; use --force to replace it", options.output.string())};
    stage("read");
    const auto form = BinaryForm::of(options, advance);
    if (!form) return form.error();
    const auto file = base::MappedFile::open(form->path(), base::MappedFile::Access::random);
    if (!file) return file.error();
    const auto view = YbbView::of(file->text());
    if (!view) return view.error().in(form->path().string());
    if (view->size() >= std::uint64_t{1} << 31)
        return Error{Error::Code::limit, "a graph of more than 2147483647 positions is not supported"};
    stage("connect");
    Backup backup(options, *view);
    if (const auto built = backup.build(advance); !built) return built.error();
    stage("solve");
    backup.solve();
    stage("write");
    if (const auto written = rewrite(options, backup, advance); !written) return written.error();
    MinimaxReport report = backup.report();
    report.omissions = form->omissions();
    return report;
}

}  // namespace tsumugi::book::tool
