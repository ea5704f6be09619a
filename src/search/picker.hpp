// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "base/raw_array.hpp"
#include "search/history.hpp"
#include "shogi/movegen.hpp"
#include "shogi/see.hpp"

namespace tsumugi::search {

struct ScoredMove {
    shogi::Move move;
    int score = 0;
};

// The continuation tables that speak about the present move: those of the moves 1, 2, 4 and 6 plies before.
using Continuations = std::array<const MoverToHistory*, 4>;

// Hands out the moves of a position best first, generating and sorting only as far as they are asked for. King steps
// are not yet tested for attacks.
template <typename P>
class MovePicker {
public:
    // For the main search.
    MovePicker(const P& position, shogi::Move table_move, int depth, const Histories& histories,
               const Continuations& continuations, bool all_promotions)
        : p_(position),
          table_move_(usable(table_move)),
          depth_(depth),
          histories_(histories),
          continuations_(continuations),
          all_promotions_(all_promotions),
          stage_(position.in_check() ? Stage::evasion_table : Stage::table) {}

    // For quiescence: captures (and evasions), with quiet checks on request.
    struct Quiescence {
        bool quiet_checks;
    };
    MovePicker(const P& position, shogi::Move table_move, Quiescence kind, const Histories& histories,
               const Continuations& continuations, bool all_promotions)
        : MovePicker(position, table_move, 0, histories, continuations, all_promotions) {
        quiet_checks_ = kind.quiet_checks;
        if (!position.in_check()) stage_ = Stage::quiescence_table;
    }

    // For ProbCut: captures that gain at least `threshold`.
    struct Probcut {
        int threshold;
    };
    MovePicker(const P& position, shogi::Move table_move, Probcut kind, const Histories& histories,
               const Continuations& continuations, bool all_promotions)
        : MovePicker(position, table_move, 0, histories, continuations, all_promotions) {
        threshold_ = kind.threshold;
        if (!table_move_.is_none() &&
            !(position.is_tactical(table_move_) && shogi::exchange_gains(position, table_move_, threshold_)))
            table_move_ = shogi::Move::none();
        stage_ = Stage::probcut_table;
    }

    // Near the root: what was good at this ply counts besides.
    void favour_ply(int ply, int weight) {
        low_ply_ = &histories_.low_ply[static_cast<std::size_t>(ply)];
        low_ply_weight_ = weight;
        low_ply_divisor_ = 1 + ply;
    }

    // It points into itself.
    MovePicker(const MovePicker&) = delete;
    MovePicker& operator=(const MovePicker&) = delete;

    // The next move, or none at the end.
    shogi::Move next();
    // From now on leave quiet moves out.
    void skip_quiets() { skip_quiets_ = true; }

private:
    static constexpr int check_price = 80;
    static constexpr int check_bonus = 16000;
    // Quiet moves with a worse record come after the captures that lose material.
    static constexpr int good_quiet = -12000;

    enum class Stage {
        table,
        start_captures,
        good_captures,
        start_quiets,
        good_quiets,
        bad_captures,
        bad_quiets,
        evasion_table,
        start_evasions,
        evasions,
        quiescence_table,
        start_quiescence,
        quiescence_captures,
        start_checks,
        checks,
        probcut_table,
        start_probcut,
        probcut,
        done,
    };

    // Receives generated moves with room for a score each.
    struct Sink {
        ScoredMove* end;

        void moves(shogi::Square from, const shogi::Bitboard& to) {
            to.for_each([&](shogi::Square s) { (end++)->move = shogi::Move::board(from, s); });
        }
        void promotions(shogi::Square from, const shogi::Bitboard& to) {
            to.for_each([&](shogi::Square s) { (end++)->move = shogi::Move::board(from, s, true); });
        }
        template <shogi::Color Us>
        void pawn_moves(const shogi::Bitboard& to, bool promotes) {
            to.for_each([&](shogi::Square s) {
                const int from = s.index() + (Us == shogi::Color::black ? 1 : -1);
                (end++)->move = shogi::Move::board(shogi::Square::from_index(from), s, promotes);
            });
        }
        void drops(shogi::Kind kind, const shogi::Bitboard& to) {
            to.for_each([&](shogi::Square s) { (end++)->move = shogi::Move::drop(kind, s); });
        }
    };

    [[nodiscard]] shogi::Move usable(shogi::Move m) const {
        return !m.is_none() && p_.is_pseudo_legal(m) ? m : shogi::Move::none();
    }
    template <shogi::MoveSet set>
    void generate() {
        Sink sink{end_};
        if (all_promotions_)
            shogi::generate<set, shogi::Promotion::all>(p_, sink);
        else
            shogi::generate<set, shogi::Promotion::sensible>(p_, sink);
        end_ = sink.end;
    }
    [[nodiscard]] int capture_score(shogi::Move m) const {
        const shogi::Kind taken = p_.piece_at(m.to()).kind();
        return 7 * shogi::material_swing(p_, m) / 2 +
               histories_.capture[piece_after(p_, m).slot()][m.to().slot()][shogi::index(taken)];
    }
    [[nodiscard]] int quiet_score(shogi::Move m) const {
        const std::size_t mover = mover_slot(p_, m);
        const std::size_t to = m.to().slot();
        int score = 2 * histories_.butterfly[shogi::index(p_.side_to_move())][origin_slot(m)][to] +
                    2 * histories_.pawn[pawns_][mover][to];
        for (const MoverToHistory* table : continuations_)
            score += (*table)[mover][to];
        return score;
    }
    // Adds what is known of quiet moves at this ply, near the root.
    void favour_what_was_good_here() {
        if (low_ply_ == nullptr) return;
        for (ScoredMove* each = current_; each != end_; ++each)
            if (!p_.is_tactical(each->move))
                each->score +=
                    low_ply_weight_ * (*low_ply_)[origin_slot(each->move)][each->move.to().slot()] / low_ply_divisor_;
    }
    // Quiet moves that give check at no great price come early: they are few, and forcing.
    void favour_checks() {
        const shogi::Square king = p_.king(~p_.side_to_move());
        if (king.is_none()) return;
        // A piece checks from where the same piece of the other side, standing on the king's square, would attack.
        std::array<shogi::Bitboard, shogi::kind_slots> from_here;
        for (const shogi::Kind kind : shogi::all_kinds)
            if (kind != shogi::Kind::king)
                from_here[shogi::index(kind)] =
                    p_.attacks_from(shogi::Piece(~p_.side_to_move(), kind), king, p_.occupancy());
        for (ScoredMove* each = current_; each != end_; ++each)
            if (from_here[shogi::index(piece_after(p_, each->move).kind())].has(each->move.to()) &&
                shogi::exchange_gains(p_, each->move, -check_price))
                each->score += check_bonus;
    }
    // Moves the best of the rest to the front and takes it.
    ScoredMove take_best() {
        ScoredMove* best = current_;
        for (ScoredMove* each = current_ + 1; each != end_; ++each)
            if (each->score > best->score) best = each;
        std::swap(*best, *current_);
        return *current_++;
    }
    // Sorts those above the limit to the front; the hopeless rest stays as generated.
    void sort_above(int limit) {
        ScoredMove* sorted = current_;
        for (ScoredMove* each = current_; each != end_; ++each) {
            if (each->score < limit) continue;
            const ScoredMove moved = *each;
            *each = *sorted;
            ScoredMove* hole = sorted++;
            for (; hole != current_ && (hole - 1)->score < moved.score; --hole)
                *hole = *(hole - 1);
            *hole = moved;
        }
    }

    const P& p_;
    shogi::Move table_move_;
    int depth_;
    const Histories& histories_;
    const Continuations& continuations_;
    bool all_promotions_;
    bool quiet_checks_ = false;
    bool skip_quiets_ = false;
    int threshold_ = 0;
    const LowPlyHistory::value_type* low_ply_ = nullptr;
    int low_ply_weight_ = 0;
    int low_ply_divisor_ = 1;
    Stage stage_;
    std::size_t pawns_ = pawn_structure(p_) % pawn_slots;
    base::RawArray<ScoredMove, shogi::MoveList::capacity> moves_;
    ScoredMove* current_ = moves_.data();
    ScoredMove* end_ = moves_.data();
    ScoredMove* bad_captures_ = moves_.data();  // kept at the front, behind what has been handed out
    ScoredMove* bad_quiets_ = moves_.data();
    ScoredMove* end_quiets_ = moves_.data();
};

template <typename P>
shogi::Move MovePicker<P>::next() {
    using shogi::Move;
    using shogi::MoveSet;
    const auto advance = [&] { stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1); };
    while (true) {
        switch (stage_) {
            case Stage::table:
            case Stage::evasion_table:
            case Stage::quiescence_table:
            case Stage::probcut_table:
                advance();
                if (!table_move_.is_none()) return table_move_;
                break;

            case Stage::start_captures:
            case Stage::start_quiescence:
            case Stage::start_probcut:
                current_ = end_ = bad_captures_ = moves_.data();
                generate<MoveSet::tactical>();
                for (ScoredMove* each = current_; each != end_; ++each)
                    each->score = capture_score(each->move);
                advance();
                break;

            case Stage::good_captures:
                while (current_ != end_) {
                    const ScoredMove best = take_best();
                    if (best.move == table_move_) continue;
                    if (shogi::exchange_gains(p_, best.move, -best.score / 18)) return best.move;
                    *bad_captures_++ = best;
                }
                advance();
                break;

            case Stage::start_quiets:
                current_ = end_ = bad_captures_;
                if (!skip_quiets_) {
                    generate<MoveSet::quiets>();
                    generate<MoveSet::drops>();
                    for (ScoredMove* each = current_; each != end_; ++each)
                        each->score = quiet_score(each->move);
                    favour_what_was_good_here();
                    favour_checks();
                    sort_above(-3000 * depth_);
                }
                end_quiets_ = end_;
                advance();
                break;

            case Stage::good_quiets:
                while (!skip_quiets_ && current_ != end_ && current_->score >= good_quiet) {
                    const Move move = (current_++)->move;
                    if (move != table_move_) return move;
                }
                bad_quiets_ = current_;
                current_ = moves_.data();
                end_ = bad_captures_;
                advance();
                break;

            case Stage::bad_captures:
                if (current_ != end_) return (current_++)->move;
                current_ = bad_quiets_;
                end_ = end_quiets_;
                advance();
                break;

            case Stage::bad_quiets:
                while (!skip_quiets_ && current_ != end_) {
                    const Move move = (current_++)->move;
                    if (move != table_move_) return move;
                }
                stage_ = Stage::done;
                break;

            case Stage::start_evasions:
                current_ = end_ = moves_.data();
                generate<MoveSet::evasions>();
                for (ScoredMove* each = current_; each != end_; ++each)
                    each->score =
                        p_.is_tactical(each->move) ? capture_score(each->move) + (1 << 24) : quiet_score(each->move);
                favour_what_was_good_here();
                advance();
                break;

            case Stage::evasions:
                while (current_ != end_)
                    if (const Move move = take_best().move; move != table_move_) return move;
                stage_ = Stage::done;
                break;

            case Stage::quiescence_captures:
                while (current_ != end_)
                    if (const Move move = take_best().move; move != table_move_) return move;
                if (!quiet_checks_) {
                    stage_ = Stage::done;
                    break;
                }
                advance();
                break;

            case Stage::start_checks: {
                current_ = end_ = moves_.data();
                Sink sink{end_};
                shogi::generate_checks(p_, sink);
                end_ = sink.end;
                advance();
                break;
            }

            case Stage::checks:
                while (current_ != end_)
                    if (const Move move = (current_++)->move; move != table_move_ && !p_.is_tactical(move)) return move;
                stage_ = Stage::done;
                break;

            case Stage::probcut:
                while (current_ != end_) {
                    const Move move = take_best().move;
                    if (move != table_move_ && shogi::exchange_gains(p_, move, threshold_)) return move;
                }
                stage_ = Stage::done;
                break;

            case Stage::done: return Move::none();
        }
    }
}

}  // namespace tsumugi::search
