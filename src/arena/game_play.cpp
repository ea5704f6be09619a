// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/game_play.hpp"

#include <fmt/format.h>

#include "record/sfen.hpp"

namespace tsumugi::arena {
namespace {

using shogi::Color;

// One game in progress.
class Table {
public:
    Table(const Opening& opening, const std::array<Seat, 2>& seats, const PlaySettings& settings, std::stop_token stop)
        : seats_(seats),
          settings_(settings),
          stop_(std::move(stop)),
          clock_({seats[0].allowance, seats[1].allowance}),
          adjudicator_(settings.adjudication),
          position_(opening.position()) {
        game_.opening = opening;
    }

    PlayedGame play() {
        std::optional<Verdict> verdict = judge(position_, settings_.rules);
        while (!verdict)
            verdict = turn();
        game_.verdict = *std::move(verdict);
        for (const Color side : shogi::both_colors)
            if (expected_[shogi::index(side)]) seat(side).player.ponder_miss();
        if (game_.verdict.reason != Reason::interrupted) tell_result();
        return std::move(game_);
    }

private:
    const Seat& seat(Color side) const { return seats_[shogi::index(side)]; }

    // Asks the side to move and plays its answer; says how the game ended if it did.
    std::optional<Verdict> turn() {
        const Color mover = position_.side_to_move();
        const auto allowed = clock_.allowed(mover);
        const Reply reply = ask(mover);
        if (stop_.stop_requested()) return Verdict{std::nullopt, Reason::interrupted, ""};
        if (auto verdict = judge_reply(reply, mover, allowed)) return verdict;

        game_.moves.push_back(note(reply));
        clock_.charge(mover, std::chrono::duration_cast<Milliseconds>(reply.time));
        position_.do_move(reply.move);
        if (auto verdict = judge(position_, settings_.rules)) return verdict;
        if (auto verdict = adjudicator_.after_move(mover, game_.moves.back().score, position_.move_number() - 1))
            return verdict;
        if (seat(mover).ponder) ponder(mover, reply.ponder);
        return std::nullopt;
    }

    Reply ask(Color mover) {
        const Seat& player = seat(mover);
        std::optional<shogi::Move>& expected = expected_[shogi::index(mover)];
        if (!expected) return player.player.ask(position_, clock_.limits(mover), stop_);
        const bool hit = position_.state().move == *expected;
        expected.reset();
        if (hit) return player.player.ponder_hit(clock_.limits(mover).clock, stop_);
        player.player.ponder_miss();
        return player.player.ask(position_, clock_.limits(mover), stop_);
    }

    std::optional<Verdict> judge_reply(const Reply& reply, Color mover, const std::optional<Milliseconds>& allowed) {
        if (reply.kind == Reply::Kind::failure) return Verdict{~mover, reply.failure, reply.text};
        if (allowed && reply.time > *allowed + settings_.time_margin)
            return Verdict{~mover, Reason::time,
                           fmt::format("{} ms, allowed {} ms", std::chrono::round<Milliseconds>(reply.time).count(),
                                       allowed->count())};
        if (!allowed && reply.time > settings_.longest_think)
            return Verdict{~mover, Reason::hang,
                           fmt::format("no answer within {} ms", settings_.longest_think.count())};
        switch (reply.kind) {
            case Reply::Kind::resign: return Verdict{~mover, Reason::resignation, ""};
            case Reply::Kind::declare_win: return judge_declaration(position_, settings_.rules);
            case Reply::Kind::failure:
            case Reply::Kind::move: break;
        }
        if (!position_.is_legal(reply.move)) return Verdict{~mover, Reason::illegal_move, record::to_usi(reply.move)};
        return std::nullopt;
    }

    static PlayedMove note(const Reply& reply) {
        PlayedMove move;
        move.move = reply.move;
        move.time = std::chrono::duration_cast<Microseconds>(reply.time);
        if (reply.thought) {
            move.score = reply.thought->score;
            move.depth = reply.thought->depth;
            move.nodes = reply.thought->nodes;
        }
        return move;
    }

    // The player thinks on while the opponent does. An expected move that is impossible is as good as none.
    void ponder(Color player, shogi::Move expected) {
        if (expected.is_none() || !position_.is_legal(expected)) return;
        shogi::Position after = position_;
        after.do_move(expected);
        expected_[shogi::index(player)] = expected;
        seat(player).player.start_pondering(after, clock_.limits(player));
    }

    void tell_result() const {
        for (const Color side : shogi::both_colors) {
            const int points = game_.verdict.half_points(side);
            seat(side).player.game_over(points == 2   ? think::GameResult::win
                                        : points == 1 ? think::GameResult::draw
                                                      : think::GameResult::loss);
        }
    }

    const std::array<Seat, 2>& seats_;
    const PlaySettings& settings_;
    std::stop_token stop_;
    GameClock clock_;
    Adjudicator adjudicator_;
    shogi::Position position_;
    std::array<std::optional<shogi::Move>, 2> expected_;  // what the player of a colour ponders on
    PlayedGame game_;
};

}  // namespace

Color PlayedGame::to_move_at_end() const {
    const bool turned = (opening.moves.size() + moves.size()) % 2 != 0;
    return turned ? ~opening.start.side_to_move : opening.start.side_to_move;
}

PlayedGame play_game(const Opening& opening, const std::array<Seat, 2>& seats, const PlaySettings& settings,
                     std::stop_token stop) {
    return Table(opening, seats, settings, std::move(stop)).play();
}

}  // namespace tsumugi::arena
