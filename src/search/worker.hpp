// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "eval/evaluation.hpp"
#include "search/history.hpp"
#include "search/picker.hpp"
#include "search/settings.hpp"
#include "search/table.hpp"
#include "search/threatmate.hpp"

namespace tsumugi::search {

// What the threads of one search share.
struct Shared {
    const Settings& settings;
    Table& table;
    std::atomic<bool> stop = false;
    std::uint64_t node_limit = 0;  // for the first thread, exact; 0 for none
    // Asked by the first thread now and then: is it time to stop?
    std::function<bool()> time_is_up{};
};

// A move of the root position with what is known about it.
struct RootMove {
    shogi::Move move;
    Value score = -value_infinite;
    Value previous = -value_infinite;  // of the iteration before
    Value average = value_none;        // over the iterations, for the aspiration window
    int selective_depth = 0;
    Bound bound = Bound::exact;
    std::vector<shogi::Move> line;
    std::uint64_t effort = 0;  // nodes spent below it
};

// One search thread: a position, an evaluation that follows it, and what it has learned about moves.
template <typename P>
class Worker {
public:
    Worker(Shared& shared, std::size_t number) : shared_(shared), number_(number) { clear(); }

    // Forgets what earlier games taught.
    void clear();
    // Evaluates with this from the next set_root on. What the evaluation has computed is kept while it stays the same.
    void use_evaluator(const std::shared_ptr<const eval::Evaluator>& evaluator);
    void set_root(const P& root, const std::vector<shogi::Move>& moves);

    // Deepens one ply at a time; after every completed depth calls `finished`, which decides whether to go on.
    using Finished = std::function<bool(int depth)>;
    // Called with a line that was improved or bounded within an iteration.
    using Report = std::function<void(std::size_t pv_index, Bound bound)>;
    void iterate(int max_depth, const Finished& finished, const Report& report);

    [[nodiscard]] const std::vector<RootMove>& root_moves() const { return root_moves_; }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    [[nodiscard]] int completed_depth() const { return completed_depth_; }
    [[nodiscard]] int root_depth() const { return root_depth_; }
    // How often the best move has changed since set_root. May be asked while the worker searches.
    [[nodiscard]] unsigned best_move_changes() const { return best_move_changes_.load(std::memory_order_relaxed); }

private:
    enum class Node { root, pv, other };

    // What is known of one ply of the path from the root.
    struct Place {
        shogi::Move move;       // being searched below this position
        int count = 0;          // its number among the moves that are searched there; 0 for other attempts
        std::size_t mover = 0;  // what it puts on its destination
        shogi::Move excluded;
        Value evaluation = value_none;
        MoverToHistory* continuation = nullptr;  // what followed `move` before
        std::optional<bool> threatens;           // does `move` seem to threaten mate? Asked by some policies only
        int cutoffs = 0;                         // in the children of this position
        bool in_check = false;
        bool table_pv = false;
        bool table_hit = false;
        int reduction = 0;  // of the search below this position
        int line_length = 0;
    };
    struct Ply : Place {
        base::RawArray<shogi::Move, max_ply + 2> line;  // of which `line_length` count
    };
    static constexpr int before_root = 7;  // plies that look-backs may reach

    // Moves that were searched and did not cut, for lowering their histories.
    struct Tried {
        base::RawArray<shogi::Move, 32> moves;
        std::size_t count = 0;

        void add(shogi::Move m) {
            if (count < moves.size()) moves[count++] = m;
        }
    };

    // What is known about a position while it is searched.
    struct Frame {
        int ply;
        Value alpha;
        Value beta;
        int depth;
        bool cut_node;  // is a move expected to beat beta?
        shogi::Key key{};
        Knowledge known{};
        Value table_value = value_none;
        shogi::Move table_move{};
        bool table_capture = false;
        Value raw = value_none;         // the evaluation,
        Value evaluation = value_none;  // corrected, and by the table where its bound says more
        Value correction = 0;           // by experience alone
        bool improving = false;
        bool opponent_worsening = false;
        Value best = -value_infinite;
        shogi::Move best_move{};
        std::uint32_t effort_before = 0;              // effort() on entering
        PawnHistory::value_type* pawns = nullptr;     // the histories among these pawns, once moves are searched
        std::optional<shogi::CheckView<P>> checks{};  // see checks_in
    };

    // A move that is about to be searched.
    struct Candidate {
        shogi::Move move;
        int count = 0;  // its number among the moves of its position
        bool capture = false;
        bool gives_check = false;
        shogi::Piece piece;  // as it will stand
        std::size_t mover = 0;
        std::size_t to = 0;
        int depth = 0;      // to search it with,
        int reduction = 0;  // less at first, in 1024ths of a ply
        int extension = 0;
    };

    template <Node node>
    Value search(int ply, Value alpha, Value beta, int depth, bool cut_node);
    template <Node node>
    std::optional<Value> decide_by_rules(Frame& frame);
    template <Node node>
    std::optional<Value> ask_table(Frame& frame);
    template <Node node>
    std::optional<Value> win_at_once(Frame& frame);
    void assess(Frame& frame);
    std::optional<Value> cut_without_moves(const Frame& frame);
    std::optional<Value> cut_by_null_move(const Frame& frame);
    std::optional<Value> cut_by_capture(Frame& frame, const Continuations& continuation);
    template <Node node>
    Value search_moves(Frame& frame, const Continuations& continuation);
    // Where checks come from in this position, found when it is first asked for.
    const shogi::CheckView<P>& checks_in(Frame& frame) const {
        if (!frame.checks) frame.checks.emplace(*position_);
        return *frame.checks;
    }
    [[nodiscard]] Candidate candidate_of(Frame& frame, shogi::Move move, int count) const;
    bool not_worth_playing(Frame& frame, const Candidate& candidate, const Continuations& continuation);
    template <Node node>
    std::optional<Value> extend(Frame& frame, Candidate& candidate);
    [[nodiscard]] int history_of(const Candidate& candidate, const Continuations& continuation);
    template <Node node>
    Value search_move(Frame& frame, Candidate& candidate, int history);
    void learn_from_moves(const Frame& frame, const Tried& quiets, const Tried& captures);
    template <Node node>
    void remember(const Frame& frame, Value first_alpha);

    template <bool is_pv>
    Value quiescence(int ply, Value alpha, Value beta, int depth) {
        return (this->*quiescence_[is_pv])(ply, alpha, beta, depth);
    }
    template <bool is_pv, typename Policy>
    Value quiescence_by(int ply, Value alpha, Value beta, int depth);
    template <typename Policy>
    [[nodiscard]] policy::Scene scene_for(int ply);
    template <typename Policy>
    [[nodiscard]] MovePicker<P> quiescence_picker(const shogi::CheckView<P>& checks, shogi::Move table_move, int depth,
                                                  const Continuations& continuation) const;
    [[nodiscard]] bool hopeless_in_quiescence(shogi::Move move, bool judge_gain, int count, Value futility, Value alpha,
                                              Value& best) const;
    void choose_quiescence(QuiescencePolicy name);
    Value aspiration(std::size_t pv_index, int depth, const Report& report);

    Ply& at(int ply) { return plies_[static_cast<std::size_t>(ply + before_root)]; }
    [[nodiscard]] const Ply& at(int ply) const { return plies_[static_cast<std::size_t>(ply + before_root)]; }
    void do_move(int ply, shogi::Move move, bool gives_check);
    void undo_move();
    void do_null_move(int ply);
    void undo_null_move();
    void note_line(int ply, shogi::Move move);
    [[nodiscard]] Continuations continuations(int ply);
    [[nodiscard]] bool must_stop();
    [[nodiscard]] bool stopped() const { return shared_.stop.load(std::memory_order_relaxed); }
    // Nodes so far, with those that the table stood for. What it grew by is the size of a tree; that the count begins
    // again after 2^32 matters only to a single tree of so many nodes.
    [[nodiscard]] std::uint32_t effort() const { return static_cast<std::uint32_t>(nodes()) + credited_; }
    [[nodiscard]] std::uint32_t size_since(std::uint32_t before) const { return effort() - before + 1; }
    [[nodiscard]] Value draw_value() const;
    // The verdict of the rules on the present position, if they have one.
    [[nodiscard]] std::optional<Value> verdict(int ply) const;
    [[nodiscard]] bool can_declare() const;
    Value evaluate();
    // The two moves that led to a ply, as a number.
    [[nodiscard]] std::uint64_t last_moves(int ply);
    [[nodiscard]] Value corrected(Value raw, int ply);
    void learn_correction(int ply, int depth, Value evaluation, Value best);
    void update_histories(const Frame& frame, const Tried& quiets, const Tried& captures);
    void update_continuations(int ply, std::size_t mover, shogi::Square to, int bonus);
    [[nodiscard]] int bonus_of(int depth) const {
        return std::min(tuned().bonus_slope * depth - tuned().bonus_offset, tuned().bonus_max);
    }
    [[nodiscard]] auto& butterfly(shogi::Color side, shogi::Move move) {
        return histories_->butterfly[shogi::index(side)][origin_slot(move)][move.to().slot()];
    }
    [[nodiscard]] int capture_history(const Candidate& candidate) const {
        const shogi::Kind taken = position_->piece_at(candidate.move.to()).kind();
        return histories_->capture[candidate.piece.slot()][candidate.to][shogi::index(taken)];
    }
    void prepare_reductions();
    // In 1024ths of a ply.
    [[nodiscard]] int reduction_of(bool improving, int depth, int count, int window) const;
    void note_root_result(const shogi::Move& move, Value value, Value alpha, Value beta, int count,
                          std::uint64_t effort);
    [[nodiscard]] const Parameters& tuned() const { return shared_.settings.parameters; }

    Shared& shared_;
    std::size_t number_;
    base::HugeBox<Histories> histories_;  // read at random
    std::shared_ptr<const eval::Evaluator> evaluator_;
    std::unique_ptr<eval::Evaluation> evaluation_;
    std::optional<P> position_;
    using Quiescence = Value (Worker::*)(int ply, Value alpha, Value beta, int depth);
    std::array<Quiescence, 2> quiescence_{};  // of the chosen policy, outside and inside the principal variation
    shogi::Color root_side_ = shogi::Color::black;
    std::vector<RootMove> root_moves_;
    std::atomic<std::uint64_t> nodes_ = 0;
    std::uint32_t credited_ = 0;  // nodes of trees that the table saved us, where it tells
    int root_depth_ = 0;
    int completed_depth_ = 0;
    int selective_depth_ = 0;
    int root_window_ = 1;
    int narrowest_ = 0;  // what the narrowest window takes off a reduction
    int null_verification_ply_ = 0;
    std::size_t pv_index_ = 0;
    std::atomic<unsigned> best_move_changes_ = 0;
    // How reductions grow with the depth and the number of a move: a number for each, to be multiplied.
    static constexpr int growth_bits = 8;
    std::array<int, 640> growth_{};
    int growth_divisor_ = 0;  // for which they were computed
    std::vector<Ply> plies_{static_cast<std::size_t>(max_ply + before_root + 2)};
    MoverToHistory no_history_{};
};

}  // namespace tsumugi::search

#include "search/node.inl"        // IWYU pragma: keep
#include "search/quiescence.inl"  // IWYU pragma: keep
#include "search/worker.inl"      // IWYU pragma: keep
