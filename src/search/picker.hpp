// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <tuple>

#include "base/raw_array.hpp"
#include "search/history.hpp"
#include "search/quiet_list.hpp"
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
    MovePicker(const P& position, const shogi::CheckView<P>& checks, shogi::Move table_move, const Histories& histories,
               const Continuations& continuations, bool all_promotions)
        : p_(position),
          checks_(checks),
          table_move_(usable(table_move)),
          histories_(histories),
          continuations_(continuations),
          all_promotions_(all_promotions),
          stage_(position.in_check() ? Stage::evasion_table : Stage::table) {}

    // For quiescence: captures (and evasions), with quiet checks on request.
    struct Quiescence {
        bool quiet_checks;
    };
    MovePicker(const P& position, const shogi::CheckView<P>& checks, shogi::Move table_move, Quiescence kind,
               const Histories& histories, const Continuations& continuations, bool all_promotions)
        : MovePicker(position, checks, table_move, histories, continuations, all_promotions) {
        quiet_checks_ = kind.quiet_checks;
        if (!position.in_check()) stage_ = Stage::quiescence_table;
    }

    // For ProbCut: captures that gain at least `threshold`.
    struct Probcut {
        int threshold;
    };
    MovePicker(const P& position, const shogi::CheckView<P>& checks, shogi::Move table_move, Probcut kind,
               const Histories& histories, const Continuations& continuations, bool all_promotions)
        : MovePicker(position, checks, table_move, histories, continuations, all_promotions) {
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
        explicit Sink(const MovePicker& p) : end(p.end_) {}

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

        ScoredMove* end;
    };

    // What the histories say about quiet moves of one piece, by destination.
    class QuietRows {
    public:
        QuietRows(const MovePicker& picker, std::size_t origin, std::size_t mover)
            : butterfly_(picker.histories_.butterfly[shogi::index(picker.p_.side_to_move())][origin]),
              pawn_((*picker.pawns_)[mover]) {
            for (std::size_t i = 0; i < continuation_.size(); ++i)
                continuation_[i] = &(*picker.continuations_[i])[mover];
        }
        [[nodiscard]] int score(shogi::Square s) const {
            int score = 2 * butterfly_[s.slot()] + 2 * pawn_[s.slot()];
            for (const auto* row : continuation_)
                score += (*row)[s.slot()];
            return score;
        }

        // Of all squares at once, which vector instructions do in little more time than a few.
        [[nodiscard]] std::array<int, shogi::Square::count> scores() const {
            std::array<int, shogi::Square::count> scores;
            for (std::size_t i = 0; i < scores.size(); ++i)
                scores[i] = 2 * butterfly_[i] + 2 * pawn_[i] + (*continuation_[0])[i] + (*continuation_[1])[i] +
                            (*continuation_[2])[i] + (*continuation_[3])[i];
            return scores;
        }

    private:
        const ButterflyHistory::value_type::value_type& butterfly_;
        const PawnHistory::value_type::value_type& pawn_;
        std::array<const MoverToHistory::value_type*, std::tuple_size_v<Continuations>> continuation_;
    };

    // Receives quiet moves and scores them, a piece at a time.
    class QuietSink {
    public:
        explicit QuietSink(MovePicker& p) : picker_(p), side_(p.p_.side_to_move()) {}

        void moves(shogi::Square from, const shogi::Bitboard& to) {
            add(from, picker_.p_.piece_at(from).kind(), to,
                [from](shogi::Square s) { return shogi::Move::board(from, s); });
        }
        void promotions(shogi::Square from, const shogi::Bitboard& to) {
            add(from, shogi::promoted(picker_.p_.piece_at(from).kind()), to,
                [from](shogi::Square s) { return shogi::Move::board(from, s, true); });
        }
        template <shogi::Color Us>
        void pawn_moves(const shogi::Bitboard& to, bool promotes) {
            to.for_each([&](shogi::Square s) {
                const shogi::Square from = shogi::Square::from_index(s.index() + (Us == shogi::Color::black ? 1 : -1));
                if (promotes)
                    promotions(from, shogi::Bitboard::of(s));
                else
                    moves(from, shogi::Bitboard::of(s));
            });
        }
        void drops(shogi::Kind kind, const shogi::Bitboard& to) {
            const QuietRows rows(picker_, static_cast<std::size_t>(shogi::Square::count) + shogi::index(kind),
                                 mover_slot(side_, kind, true));
            const auto scores = rows.scores();
            put(
                kind, to, [kind](shogi::Square s) { return shogi::Move::drop(kind, s); },
                [&](shogi::Square s) { return scores[s.slot()]; });
        }

    private:
        template <typename MakeMove>
        void add(shogi::Square from, shogi::Kind kind, const shogi::Bitboard& to, MakeMove make) {
            if (to.empty()) return;
            const QuietRows rows(picker_, from.slot(), mover_slot(side_, kind, false));
            put(kind, to, make, [&](shogi::Square s) { return rows.score(s); });
        }
        // Those that give check at no great price come early: they are few, and forcing.
        template <typename MakeMove, typename Score>
        void put(shogi::Kind kind, const shogi::Bitboard& to, MakeMove make, Score score) {
            const shogi::Bitboard checks = picker_.checks_.from(kind);
            to.for_each([&](shogi::Square s) {
                const shogi::Move move = make(s);
                const bool fine_check = checks.has(s) && shogi::exchange_gains(picker_.p_, move, -check_price);
                picker_.quiets_.add(move, score(s) + (fine_check ? check_bonus : 0));
            });
        }

        MovePicker& picker_;
        shogi::Color side_;
    };

    [[nodiscard]] shogi::Move usable(shogi::Move m) const {
        return !m.is_none() && p_.is_pseudo_legal(m) ? m : shogi::Move::none();
    }
    template <shogi::MoveSet set, typename To>
    void generate_into(To& sink) const {
        if (all_promotions_)
            shogi::generate<set, shogi::Promotion::all>(p_, sink);
        else
            shogi::generate<set, shogi::Promotion::sensible>(p_, sink);
    }
    template <shogi::MoveSet set>
    void generate() {
        Sink sink(*this);
        generate_into<set>(sink);
        end_ = sink.end;
    }
    [[nodiscard]] int capture_score(shogi::Move m) const {
        const shogi::Kind taken = p_.piece_at(m.to()).kind();
        return 7 * shogi::material_swing(p_, m) / 2 +
               histories_.capture[piece_after(p_, m).slot()][m.to().slot()][shogi::index(taken)];
    }
    [[nodiscard]] int quiet_score(shogi::Move m) const {
        return QuietRows(*this, origin_slot(m), mover_slot(p_, m)).score(m.to());
    }
    // What is known of a quiet move at this ply, near the root.
    [[nodiscard]] int favour(shogi::Move m) const {
        return low_ply_weight_ * (*low_ply_)[origin_slot(m)][m.to().slot()] / low_ply_divisor_;
    }
    // Moves the best of the rest to the front and takes it.
    ScoredMove take_best() {
        ScoredMove* best = current_;
        for (ScoredMove* each = current_ + 1; each != end_; ++each)
            if (each->score > best->score) best = each;
        std::swap(*best, *current_);
        return *current_++;
    }
    shogi::Move next_quiet(int at_least) {
        if (skip_quiets_) return shogi::Move::none();
        const shogi::Move best = quiets_.take_best(at_least);
        return best == table_move_ && !best.is_none() ? quiets_.take_best(at_least) : best;
    }

    const P& p_;
    const shogi::CheckView<P>& checks_;
    shogi::Move table_move_;
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
    const PawnHistory::value_type* pawns_ = nullptr;  // of the pawns as they stand; only quiet moves need it
    base::RawArray<ScoredMove, shogi::MoveList::capacity> moves_;
    ScoredMove* current_ = moves_.data();
    ScoredMove* end_ = moves_.data();
    ScoredMove* bad_captures_ = moves_.data();  // kept at the front, behind what has been handed out
    QuietList quiets_;
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
                if (!skip_quiets_) {
                    pawns_ = &pawns_of(p_, histories_);
                    QuietSink sink(*this);
                    generate_into<MoveSet::quiets>(sink);
                    generate_into<MoveSet::drops>(sink);
                    if (low_ply_ != nullptr) quiets_.adjust([this](Move m) { return favour(m); });
                    quiets_.finish();
                }
                advance();
                break;

            case Stage::good_quiets:
                if (const Move move = next_quiet(good_quiet); !move.is_none()) return move;
                current_ = moves_.data();
                end_ = bad_captures_;
                advance();
                break;

            case Stage::bad_captures:
                if (current_ != end_) return (current_++)->move;
                advance();
                break;

            case Stage::bad_quiets:
                if (const Move move = next_quiet(QuietList::any_score); !move.is_none()) return move;
                stage_ = Stage::done;
                break;

            case Stage::start_evasions:
                current_ = end_ = moves_.data();
                pawns_ = &pawns_of(p_, histories_);
                generate<MoveSet::evasions>();
                for (ScoredMove* each = current_; each != end_; ++each)
                    each->score = p_.is_tactical(each->move)
                                      ? capture_score(each->move) + (1 << 24)
                                      : quiet_score(each->move) + (low_ply_ != nullptr ? favour(each->move) : 0);
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
                Sink sink(*this);
                shogi::generate_checks(p_, checks_, sink);
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
