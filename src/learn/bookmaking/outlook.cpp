// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/bookmaking/outlook.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <unordered_set>

#include "book/silence.hpp"
#include "shogi/movegen.hpp"

namespace tsumugi::learn::bookmaking {
namespace {

using book::Graph;
using shogi::Position;

struct Reached {
    int concession = 0;  // what both sides gave away on the way
    int plies = 0;       // of the way
    std::uint64_t order = 0;
    int promise = 0;  // what the root is worth to the user's opponent
    Position position;

    [[nodiscard]] auto rank() const { return std::tuple(concession, plies, order); }
    bool operator<(const Reached& other) const { return rank() > other.rank(); }  // a queue gives the greatest first
};

}  // namespace

Outlook::Outlook(const Workspace& workspace, int draw_for_black) {
    // Nodes are numbered first, because a move may lead to any of them.
    std::vector<const book::Entry*> entries;
    for (const auto& [text, entry] : workspace.entries()) {
        known_[text].node = static_cast<Graph::Node>(entries.size());
        known_[text].analysed = workspace.is_analysed(entry.position);
        entries.push_back(&entry);
    }
    const auto silent = book::find_silent(graph_, connect(entries, {}));
    if (std::find(silent.begin(), silent.end(), true) != silent.end()) connect(entries, silent);
    minimax_.emplace(graph_, book::RepetitionRule{draw_for_black});
    minimax_->solve();
}

std::vector<bool> Outlook::connect(const std::vector<const book::Entry*>& entries, const std::vector<bool>& silent) {
    std::vector<bool> valued;
    graph_ = {};
    for (const book::Entry* entry : entries) {
        auto position = Position::from(entry->position);
        graph_.add(entry->position.side_to_move, position && position->in_check());
        valued.push_back(false);
        if (!position) continue;
        Known& known = known_[book::position_text(entry->position)];
        known.moves.clear();
        for (const book::StoredMove& stored : entry->moves) {
            if (!position->is_legal(stored.move)) continue;
            position->do_move(stored.move);
            const auto child = known_.find(book::position_text(position->setup()));
            position->undo_move();
            valued.back() = valued.back() || stored.value;
            if (child != known_.end() && (silent.empty() || !silent[child->second.node]))
                graph_.add(Graph::Edge::to(child->second.node));
            else if (stored.value)
                graph_.add(Graph::Edge::leaf(*stored.value, stored.depth.value_or(0)));
            else
                continue;
            known.moves.push_back(stored.move);
        }
    }
    return valued;
}

std::vector<Outlook::Choice> Outlook::choices(const Position& position) const {
    std::vector<Choice> choices;
    const auto found = known_.find(book::position_text(position.setup()));
    if (found == known_.end()) return choices;
    const Known& known = found->second;
    const auto edges = graph_.edges(known.node);
    for (std::size_t i = 0; i < known.moves.size(); ++i)
        choices.push_back({known.moves[i], minimax_->worth(edges[i]).value});
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& a, const Choice& b) { return a.value > b.value; });
    return choices;
}

bool Outlook::is_analysed(const Position& position) const {
    const auto found = known_.find(book::position_text(position.setup()));
    return found != known_.end() && found->second.analysed;
}

std::vector<Position> find_leaves(const Outlook& outlook, const LeafRule& rule, std::size_t count) {
    std::priority_queue<Reached> queue;
    std::unordered_set<std::string> seen;
    std::uint64_t order = 0;
    for (const shogi::Setup& root : rule.roots) {
        const auto position = Position::from(root);
        if (!position || !seen.insert(book::position_text(root)).second) continue;
        const auto choices = outlook.choices(*position);
        const int value = choices.empty() ? 0 : choices.front().value;
        queue.push({0, 0, order++, root.side_to_move == rule.user ? -value : value, *position});
    }
    std::vector<Position> leaves;
    while (!queue.empty() && leaves.size() < count) {
        Reached here = queue.top();
        queue.pop();
        const auto choices = outlook.choices(here.position);
        if (!outlook.is_analysed(here.position) && shogi::has_legal_move(here.position))
            leaves.push_back(here.position);
        const bool own = here.position.side_to_move() == rule.user;
        for (const Outlook::Choice& choice : choices) {
            const int least = own ? choices.front().value - rule.own_margin : here.promise - rule.opponent_margin;
            if (choice.value < least && choice.move != choices.front().move) continue;
            Position next = here.position;
            next.do_move(choice.move);
            if (next.move_number() > rule.plies || next.game_repetition() != shogi::Repetition::none) continue;
            if (!seen.insert(book::position_text(next.setup())).second) continue;
            queue.push({here.concession + choices.front().value - choice.value, here.plies + 1, order++, here.promise,
                        std::move(next)});
        }
    }
    return leaves;
}

}  // namespace tsumugi::learn::bookmaking
