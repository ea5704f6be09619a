// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ensemble/member.hpp"

namespace tsumugi::ensemble {

// What pondering players are told besides their position.
struct PonderOrder {
    think::Limits limits;                         // of the request that made us ponder
    std::optional<think::Milliseconds> allotted;  // what they will have once our clock runs
};

// Players that ponder, each about a position of its own: one of those that the opponent's replies may lead to.
class PonderTeam {
public:
    // What one player does.
    struct Post {
        std::size_t player = 0;
        int rank = 1;  // of the reply: 1 is the likeliest
        shogi::Position position;
        base::Clock::time_point began;
        std::optional<think::Milliseconds> allotted;
        std::shared_ptr<Inquiry> inquiry;
    };

    PonderTeam(std::span<const std::unique_ptr<Member>> members, std::shared_ptr<Bell> bell)
        : members_(members), bell_(std::move(bell)), failed_(members.size()) {}
    ~PonderTeam() { dismiss(); }
    PonderTeam(const PonderTeam&) = delete;
    PonderTeam& operator=(const PonderTeam&) = delete;

    // Lets the players think about these positions, likeliest first. Who thinks about one of them already goes on, the
    // rest stop, and free players take what is left in their order: the strongest gets the likeliest. One that is
    // `busy` with our own move is left alone.
    void aim(std::span<const shogi::Position> positions, const PonderOrder& order, std::optional<std::size_t> busy);
    // Those who failed since the last look have no post any more, and get none until forgive().
    [[nodiscard]] std::vector<Post> take_failed();
    void forgive() { failed_.assign(failed_.size(), false); }

    // Who thinks about this position, if anybody.
    [[nodiscard]] const Post* find(const shogi::Position& position) const;
    // The same, taken out of the team: the caller goes on with it.
    [[nodiscard]] std::optional<Post> take(const shogi::Position& position);
    // What is pondered, likeliest first.
    [[nodiscard]] std::vector<shogi::Position> positions() const;
    [[nodiscard]] std::size_t size() const { return posts_.size(); }
    // All stop.
    void dismiss();

private:
    [[nodiscard]] bool is_free(std::size_t player, std::optional<std::size_t> busy) const;
    void post(std::size_t player, int rank, const shogi::Position& position, const PonderOrder& order);

    std::span<const std::unique_ptr<Member>> members_;
    std::shared_ptr<Bell> bell_;
    std::vector<Post> posts_;
    std::vector<bool> failed_;
};

}  // namespace tsumugi::ensemble
