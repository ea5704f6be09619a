// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "eval/nnue/attack_count.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/feature.hpp"

namespace tsumugi::eval::nnue {

// The pieces that an accumulator was computed from.
struct Snapshot {
    std::array<shogi::Piece, shogi::Square::count> board{};
    std::array<std::uint8_t, shogi::Square::count> attacks{};  // class of each square, where the feature set asks
    std::array<shogi::Hand, 2> hands{};
};

// Rows to add and to take away, without limit on their number.
class RowQueue {
public:
    RowQueue(const Network& network, std::int16_t* accumulator) : network_(network), accumulator_(accumulator) {}

    void add(std::size_t input) {
        added_[added_count_++] = network_.row(input);
        if (added_count_ == capacity) flush();
    }
    void remove(std::size_t input) {
        removed_[removed_count_++] = network_.row(input);
        if (removed_count_ == capacity) flush();
    }
    void flush() {
        if (added_count_ + removed_count_ == 0) return;
        const RowChange rows{added_.data(), static_cast<int>(added_count_), removed_.data(),
                             static_cast<int>(removed_count_)};
        network_.kernel().update(accumulator_, accumulator_, rows, network_.width());
        added_count_ = removed_count_ = 0;
    }

private:
    static constexpr std::size_t capacity = 64;

    const Network& network_;
    std::int16_t* accumulator_;
    std::array<const std::int16_t*, capacity> added_;
    std::array<const std::int16_t*, capacity> removed_;
    std::size_t added_count_ = 0;
    std::size_t removed_count_ = 0;
};

// The running evaluation for one feature set. Two ways lead to the accumulator of a position: from that of an
// earlier ply, by the moves in between; or, when the king has gone to another block, from the last position seen with
// the king in that place, by the difference of the pieces. The second also serves sets that count attacks,
// where one move changes features all over the board.
template <typename Set>
class SetEvaluation final : public NetEvaluation {
public:
    explicit SetEvaluation(const NetEvaluator& evaluator)
        : network_(evaluator.network()),
          fv_scale_(evaluator.fv_scale()),
          width_(static_cast<std::size_t>(network_.width())),
          stack_(2 * width_ * (Set::counts_attacks ? 1 : capacity + 1)),
          cached_(2 * width_ * Set::king_places),
          snapshots_(2 * Set::king_places),
          cache_valid_(2 * Set::king_places, false) {}

    void reset(const shogi::Board& root) override {
        trail().top = 0;
        trail().entries[0] = Entry{};
        const int missing = missing_pieces(root);
        if (missing != missing_) std::fill(cache_valid_.begin(), cache_valid_.end(), false);
        missing_ = missing;
        if constexpr (!Set::counts_attacks)
            for (const shogi::Color viewer : shogi::both_colors)
                refresh_entry(root, viewer, 0);
    }

    int raw(const shogi::Board& board) override { return compute(board); }

    int evaluate(const shogi::Board& board) override {
        return std::clamp(compute(board) / fv_scale_, -max_score, max_score);
    }

private:
    using View = typename Set::View;

    // The rows that one move changes for one player. A king's capture changes at most three each way.
    struct Step {
        std::size_t entry;
        std::array<const std::int16_t*, 3> added;
        std::array<const std::int16_t*, 3> removed;
        int added_count;
        int removed_count;

        [[nodiscard]] RowChange rows() const { return {added.data(), added_count, removed.data(), removed_count}; }
    };
    // Longer ways back than this cost more than starting from the cache.
    static constexpr std::size_t longest_way = 8;

    [[nodiscard]] std::int16_t* accumulator(std::size_t entry, shogi::Color viewer) {
        return stack_.data() + (2 * entry + index(viewer)) * width_;
    }

    int compute(const shogi::Board& board) {
        const std::size_t at = Set::counts_attacks ? 0 : last_real_entry();
        if constexpr (Set::counts_attacks) {
            const AttackCounts counts = count_attacks(board);
            for (const shogi::Color viewer : shogi::both_colors)
                refresh(board, viewer, 0, &counts);
        } else {
            for (const shogi::Color viewer : shogi::both_colors)
                if ((trail().entries[at].known >> index(viewer) & 1) == 0) bring_up(board, viewer, at);
        }
        const shogi::Color us = board.side_to_move();
        return network_.propagate(board, accumulator(at, us), accumulator(at, ~us));
    }

    // Null moves change nothing here: the accumulator below them serves.
    [[nodiscard]] std::size_t last_real_entry() {
        std::size_t at = trail().top;
        while (at > 0 && trail().entries[at].change.move.is_none())
            --at;
        return at;
    }

    void bring_up(const shogi::Board& board, shogi::Color viewer, std::size_t at) {
        const View view = Set::view(board, viewer);
        const unsigned bit = 1U << index(viewer);
        std::array<Step, longest_way> way;
        std::size_t steps = 0;
        std::array<shogi::Hand, 2> hands{board.hand(shogi::Color::black), board.hand(shogi::Color::white)};
        std::size_t from = at;
        // Walk back to an entry that is known, noting the features of each move on the way.
        while ((trail().entries[from].known & bit) == 0) {
            const Change& change = trail().entries[from].change;
            if (from == 0 || Set::reselects(viewer, change.moved, change.move) || steps == longest_way)
                return refresh_entry(board, viewer, at);
            if (!change.move.is_none()) note(way[steps++], from, change, view, hands);
            --from;
        }
        const std::int16_t* source = accumulator(from, viewer);
        while (steps > 0) {
            const Step& step = way[--steps];
            std::int16_t* target = accumulator(step.entry, viewer);
            network_.kernel().update(target, source, step.rows(), network_.width());
            trail().entries[step.entry].known |= static_cast<std::uint8_t>(bit);
            source = target;
        }
    }

    // What a move changed for a player; `hands`, as they were after the move, become those before it.
    void note(Step& step, std::size_t entry, const Change& change, const View& view,
              std::array<shogi::Hand, 2>& hands) const {
        step.entry = entry;
        step.added_count = step.removed_count = 0;
        const auto add = [&](std::size_t n) {
            step.added[static_cast<std::size_t>(step.added_count++)] = network_.row(n);
        };
        const auto remove = [&](std::size_t n) {
            step.removed[static_cast<std::size_t>(step.removed_count++)] = network_.row(n);
        };
        const shogi::Move move = change.move;
        const shogi::Color us = change.moved.color();
        shogi::Hand& hand = hands[index(us)];
        if (move.is_drop()) {
            const shogi::Kind kind = move.dropped();
            view.for_each_number(change.moved, move.to(), add);
            remove(view.in_hand(us, kind, hand.count(kind)));
            hand.add(kind);
            return;
        }
        const shogi::Piece after =
            move.promotes() ? shogi::Piece(us, shogi::promoted(change.moved.kind())) : change.moved;
        view.for_each_number(change.moved, move.from(), remove);
        view.for_each_number(after, move.to(), add);
        if (change.captured.is_none()) return;
        const shogi::Kind gained = shogi::unpromoted(change.captured.kind());
        view.for_each_number(change.captured, move.to(), remove);
        hand.remove(gained);
        add(view.in_hand(us, gained, hand.count(gained)));
    }

    void refresh_entry(const shogi::Board& board, shogi::Color viewer, std::size_t at) {
        refresh(board, viewer, at, nullptr);
        trail().entries[at].known |= static_cast<std::uint8_t>(1U << index(viewer));
    }

    // From the last position seen with the kings in this place.
    void refresh(const shogi::Board& board, shogi::Color viewer, std::size_t at, const AttackCounts* counts) {
        const View view = Set::view(board, viewer);
        const std::size_t slot = index(viewer) * Set::king_places + view.place;
        std::int16_t* cached = cached_.data() + slot * width_;
        Snapshot& before = snapshots_[slot];
        if (!cache_valid_[slot]) {
            std::memcpy(cached, network_.bias(), width_ * sizeof *cached);
            before = Snapshot{};
            RowQueue rows(network_, cached);
            // Pieces that are not in play (handicaps, mate problems) all have number 0.
            for (int i = 0; i < missing_; ++i)
                rows.add(view.base);
            rows.flush();
            cache_valid_[slot] = true;
        }
        RowQueue rows(network_, cached);
        for (std::size_t i = 0; i < shogi::Square::count; ++i) {
            const shogi::Square s = shogi::Square::from_index(i);
            const shogi::Piece now = board.piece_at(s);
            const shogi::Piece then = before.board[i];
            std::uint8_t attacked = 0;
            if constexpr (Set::counts_attacks) attacked = attack_class(*counts, viewer, i);
            if (now == then && attacked == before.attacks[i]) continue;
            if (!then.is_none())
                view.for_each_number(then, s,
                                     [&](std::size_t n) { rows.remove(n + before.attacks[i] * Set::attack_stride); });
            if (!now.is_none())
                view.for_each_number(now, s, [&](std::size_t n) { rows.add(n + attacked * Set::attack_stride); });
            before.board[i] = now;
            before.attacks[i] = attacked;
        }
        for (const shogi::Color owner : shogi::both_colors) {
            shogi::Hand& then = before.hands[index(owner)];
            const shogi::Hand now = board.hand(owner);
            if (now == then) continue;
            for (const shogi::Kind kind : shogi::hand_kinds) {
                for (int n = then.count(kind); n < now.count(kind); ++n)
                    rows.add(view.in_hand(owner, kind, n));
                for (int n = now.count(kind); n < then.count(kind); ++n)
                    rows.remove(view.in_hand(owner, kind, n));
            }
            then = now;
        }
        rows.flush();
        std::memcpy(accumulator(at, viewer), cached, width_ * sizeof *cached);
    }

    static int missing_pieces(const shogi::Board& board) {
        int present = board.all().without(board.pieces(shogi::Kind::king)).count();
        for (const shogi::Color c : shogi::both_colors)
            for (const shogi::Kind kind : shogi::hand_kinds)
                present += board.hand(c).count(kind);
        return 38 - present;
    }

    const Network& network_;
    const int fv_scale_;
    const std::size_t width_;
    int missing_ = 0;
    base::AlignedArray<std::int16_t> stack_;   // [entry][player][width]
    base::AlignedArray<std::int16_t> cached_;  // [player][place of the kings][width]
    std::vector<Snapshot> snapshots_;
    std::vector<bool> cache_valid_;
};

}  // namespace tsumugi::eval::nnue
