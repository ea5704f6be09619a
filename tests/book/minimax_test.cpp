// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/minimax.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "book/component.hpp"
#include "book/sample_graph.hpp"
#include "book/tool/minimax_book.hpp"
#include "book_fixture.hpp"

namespace tsumugi::book {
namespace {

using shogi::Color;
using Edge = Graph::Edge;
using Node = Graph::Node;

// What a line is worth to Black when both follow a fixed choice of move in every position: a value where it leaves the
// graph, or that of the circle it ends in.
int payoff(const Graph& graph, Node start, const std::vector<std::size_t>& choice, const RepetitionRule& rule) {
    std::vector<Node> line;
    for (Node node = start;;) {
        const auto seen = std::find(line.begin(), line.end(), node);
        if (seen != line.end()) {
            std::array<bool, 2> always_checks{true, true};
            for (auto each = seen; each != line.end(); ++each) {
                // Whoever moved to this position gave check or not.
                const std::size_t mover = graph.white_to_move(*each) ? 0 : 1;
                always_checks[mover] = always_checks[mover] && graph.in_check(*each);
            }
            if (always_checks[1]) return rule.perpetual_check;
            if (always_checks[0]) return -rule.perpetual_check;
            return rule.draw_for_black;
        }
        line.push_back(node);
        const Edge edge = graph.edges(node)[choice[node]];
        if (edge.is_leaf()) return graph.white_to_move(node) ? -edge.value() : edge.value();
        node = edge.child();
    }
}

// Calls visit(choice) for every combination of moves in the positions of one side.
template <typename Visit>
void for_each_choice(const Graph& graph, bool white, std::vector<std::size_t>& choice, Node from, const Visit& visit) {
    while (from < graph.size() && graph.white_to_move(from) != white)
        ++from;
    if (from == graph.size()) return visit();
    for (choice[from] = 0; choice[from] < graph.edges(from).size(); ++choice[from])
        for_each_choice(graph, white, choice, from + 1, visit);
    choice[from] = 0;
}

// The best that Black can be sure of, by trying every plan against every plan.
std::vector<int> brute_force(const Graph& graph, const RepetitionRule& rule) {
    const auto size = graph.size();
    std::vector<int> best(size, -100'000);
    std::vector<std::size_t> choice(size, 0);
    for_each_choice(graph, false, choice, 0, [&] {
        std::vector<int> worst(size, 100'000);
        for_each_choice(graph, true, choice, 0, [&] {
            for (Node node = 0; node < size; ++node)
                worst[node] = std::min(worst[node], payoff(graph, node, choice, rule));
        });
        for (Node node = 0; node < size; ++node)
            best[node] = std::max(best[node], worst[node]);
    });
    return best;
}

// A small graph full of circles. A position in check follows no other position in check: mutual perpetual check is a
// case that the rules of the game do not settle.
Graph random_graph(base::Random& random, int checks_permille) {
    const std::size_t size = 2 + random.below(7);
    std::vector<bool> in_check(size);
    std::vector<std::vector<Edge>> edges(size);
    for (std::size_t i = 0; i < size; ++i)
        in_check[i] = random.below(1000) < static_cast<std::uint64_t>(checks_permille);
    for (std::size_t i = 0; i < size; ++i)
        for (std::uint64_t move = 0; move < 1 + random.below(3); ++move) {
            const std::size_t child = random.below(size);
            const bool possible = child % 2 != i % 2 && !(in_check[i] && in_check[child]);
            if (possible && random.chance(0.8))
                edges[i].push_back(Edge::to(static_cast<Node>(child)));
            else
                edges[i].push_back(Edge::leaf(static_cast<int>(random.between(-3, 3)) * 10, 20));
        }
    Graph graph;
    for (std::size_t i = 0; i < size; ++i) {
        graph.add(i % 2 == 0 ? Color::black : Color::white, in_check[i]);
        for (const Edge edge : edges[i])
            graph.add(edge);
    }
    return graph;
}

std::string describe(const Graph& graph) {
    std::string text;
    for (Node node = 0; node < graph.size(); ++node) {
        text += std::to_string(node) + (graph.white_to_move(node) ? " w" : " b") + (graph.in_check(node) ? "+:" : ":");
        for (const Edge edge : graph.edges(node))
            text += edge.is_leaf() ? " (" + std::to_string(edge.value()) + ")" : " " + std::to_string(edge.child());
        text += "; ";
    }
    return text;
}

TEST(Minimax, AgreesWithTryingEveryPlanOnSmallGraphsWithCircles) {
    base::Random random(42);
    int circular = 0;
    int perpetual = 0;
    for (int i = 0; i < 1500; ++i) {
        const Graph graph = random_graph(random, i % 3 == 0 ? 0 : 400);
        const RepetitionRule rule{static_cast<int>(random.between(-2, 2)) * 10};
        Minimax minimax(graph, rule);
        minimax.solve();
        const auto expected = brute_force(graph, rule);
        circular += minimax.summary().circular > 0 ? 1 : 0;
        for (Node node = 0; node < graph.size(); ++node) {
            const int value = graph.white_to_move(node) ? -minimax.worth(node).value : minimax.worth(node).value;
            ASSERT_EQ(value, expected[node])
                << "node " << node << " draw " << rule.draw_for_black << " of " << describe(graph);
            perpetual += std::abs(value) == rule.perpetual_check ? 1 : 0;
        }
    }
    // The test would be worth little if the hard cases did not occur.
    EXPECT_GT(circular, 250);
    EXPECT_GT(perpetual, 25);
}

TEST(Minimax, FollowsItsOwnAdviceToTheValueItPromises) {
    base::Random random(7);
    for (int i = 0; i < 2000; ++i) {
        const Graph graph = random_graph(random, 0);
        Minimax minimax(graph, {});
        minimax.solve();
        for (Node start = 0; start < graph.size(); ++start) {
            const Worth promised = minimax.worth(start);
            if (promised.value == 0) continue;
            Node node = start;
            int moves = 0;
            for (;; ++moves) {
                ASSERT_LE(moves, 100) << "walks in circles in " << describe(graph);
                const auto edges = graph.edges(node);
                const Edge best = *std::max_element(edges.begin(), edges.end(), [&](Edge a, Edge b) {
                    return minimax.better(minimax.worth(b), minimax.worth(a), graph.white_to_move(node));
                });
                if (best.is_leaf()) {
                    const bool same_side = graph.white_to_move(node) == graph.white_to_move(start);
                    EXPECT_EQ(same_side ? best.value() : -best.value(), promised.value);
                    EXPECT_EQ(moves + 1, promised.distance) << describe(graph);
                    break;
                }
                node = best.child();
            }
        }
    }
}

TEST(Minimax, BacksUpALineWithItsDepth) {
    Graph graph;
    graph.add(Color::black, false);
    graph.add(Edge::to(1));
    graph.add(Edge::leaf(10, 30));
    graph.add(Color::white, false);
    graph.add(Edge::leaf(-50, 24));
    graph.add(Edge::leaf(-70, 20));
    Minimax minimax(graph, {});
    minimax.solve();
    EXPECT_EQ(minimax.worth(Node{0}), (Worth{50, 2, 25}));
    EXPECT_EQ(minimax.worth(Node{1}), (Worth{-50, 1, 24}));
}

TEST(Minimax, TakesTheShortWayToAGainAndTheLongWayToALoss) {
    // Black can win 100 at once or after a detour of two moves.
    Graph graph;
    graph.add(Color::black, false);
    graph.add(Edge::to(1));
    graph.add(Edge::leaf(100, 10));
    graph.add(Color::white, false);
    graph.add(Edge::to(2));
    graph.add(Color::black, false);
    graph.add(Edge::leaf(100, 10));
    Minimax winning(graph, {});
    winning.solve();
    EXPECT_EQ(winning.worth(Node{0}).distance, 1);
    // Against a draw worth 200 the same value is a loss.
    Minimax losing(graph, {200});
    losing.solve();
    EXPECT_EQ(losing.worth(Node{0}).distance, 3);
}

TEST(Minimax, GivesEachSideItsOwnViewOfADraw) {
    Graph graph;
    graph.add(Color::black, false);
    graph.add(Edge::to(1));
    graph.add(Edge::leaf(-5, 10));
    graph.add(Color::white, false);
    graph.add(Edge::to(0));
    Minimax content(graph, {0});
    content.solve();
    EXPECT_EQ(content.worth(Node{0}), (Worth{0, Graph::greatest_depth, Graph::greatest_depth}));
    Minimax ambitious(graph, {-20});
    ambitious.solve();
    EXPECT_EQ(ambitious.worth(Node{0}).value, -5) << "rather a small disadvantage than a draw";
    EXPECT_EQ(ambitious.worth(Node{1}).value, 5);
}

TEST(Minimax, MakesWhoeverOnlyGivesCheckLose) {
    Graph graph;
    graph.add(Color::black, false);  // checks or takes -300
    graph.add(Edge::to(1));
    graph.add(Edge::leaf(-300, 10));
    graph.add(Color::white, true);
    graph.add(Edge::to(0));
    Minimax minimax(graph, {});
    minimax.solve();
    EXPECT_EQ(minimax.worth(Node{0}).value, -300);
    EXPECT_EQ(minimax.worth(Node{1}).value, 300);
}

TEST(Components, ComeInAnOrderInWhichMovesLeadToEarlierOnes) {
    const Graph graph = make_graph({.positions = 3000, .moves = 3, .leaf_permille = 300, .back_permille = 40});
    std::map<Node, std::size_t> component;
    std::size_t number = 0;
    for_each_component(graph, [&](const std::vector<Node>& nodes) {
        for (const Node node : nodes)
            EXPECT_TRUE(component.emplace(node, number).second) << "each position belongs to one component";
        for (const Node node : nodes)
            for (const Edge edge : graph.edges(node))
                if (!edge.is_leaf()) {
                    ASSERT_TRUE(component.count(edge.child()) > 0) << "moves lead to what is known";
                }
        ++number;
    });
    EXPECT_EQ(component.size(), graph.size());
    EXPECT_LT(number, graph.size()) << "there are circles";
}

TEST(Minimax, SolvesALargeGraphTheSameWayTwice) {
    const Graph graph =
        make_graph({.positions = 4'000, .leaf_permille = 300, .back_permille = 200, .check_permille = 200});
    Minimax one(graph, {-10});
    Minimax two(graph, {-10});
    one.solve();
    two.solve();
    EXPECT_GT(one.summary().circular, 200U);
    for (Node node = 0; node < graph.size(); ++node)
        ASSERT_EQ(one.worth(node), two.worth(node));
}

// Writes entries in order.
void write_sorted(const std::filesystem::path& file, const std::vector<Entry>& entries) {
    std::map<std::string, Entry> sorted;
    for (const Entry& each : entries)
        sorted.emplace(position_text(each.position), each);
    std::vector<Entry> ordered;
    for (const auto& [key, each] : sorted)
        ordered.push_back(each);
    write_book(file, ordered);
}

// What a book of these entries, backed up, says of the start.
Entry start_of(const std::vector<Entry>& entries, const char* name = "out.db", tool::MinimaxOptions options = {}) {
    const test::TempFolder folder;
    write_sorted(folder / "in.db", entries);
    options.input = folder / "in.db";
    options.output = folder / name;
    const auto report = tool::minimax(
        options, [](const std::string&) {}, [](std::uint64_t, std::uint64_t) {});
    if (!report) throw std::runtime_error(report.error().message);
    return (*open_book(options.output))->find(shogi::Setup::even(), Book::Ply::any)->value();
}

std::optional<int> value_of(const Entry& entry, const char* move) { return entry.find(test::usi(move))->value; }

TEST(MinimaxBook, TakesNothingForZeroThatIsNotKnown) {
    for (const char* name : {"out.db", "out.ybb"}) {
        const Entry start =
            start_of({entry("", {stored("2g2f", 30, 20), stored("7g7f", 40, 20)}), entry("2g2f", {stored("3c3d")}),
                      entry("7g7f", {stored("3c3d", -300, 20), stored("8c8d")})},
                     name);
        EXPECT_EQ(value_of(start, "2g2f"), 30) << "a position of which nothing is known says nothing";
        EXPECT_EQ(value_of(start, "7g7f"), 300) << "nor does a single move";
        EXPECT_EQ(start.moves.front().move, test::usi("7g7f"));
    }
}

TEST(MinimaxBook, KeepsAValueThatOnlyAnIllegalMoveSpeaksAgainst) {
    EXPECT_EQ(
        value_of(start_of({entry("", {stored("7g7f", 100, 20)}), entry("7g7f", {stored("7g7f", -5, 20)})}), "7g7f"),
        100);
}

TEST(MinimaxBook, LooksThroughPositionsWithoutValues) {
    const Entry start = start_of({entry("", {stored("2g2f", 30, 20), stored("7g7f", 40, 20), stored("9g9f")}),
                                  entry("2g2f", {stored("3c3d")}), entry("2g2f 3c3d", {stored("2f2e")}),
                                  entry("7g7f", {stored("3c3d")}), entry("7g7f 3c3d", {stored("6g6f", -15, 18)})});
    EXPECT_EQ(value_of(start, "2g2f"), 30) << "two moves on nothing is known either";
    EXPECT_EQ(value_of(start, "7g7f"), -15) << "what is known two moves on counts";
    EXPECT_EQ(value_of(start, "9g9f"), std::nullopt);
    EXPECT_EQ(start.moves.back().move, test::usi("9g9f")) << "what is not known comes last";
}

TEST(MinimaxBook, DoesNotMakeUpValuesForABookOfGames) {
    const std::vector<Entry> entries{entry("", {stored("2g2f", {}, {}, 9), stored("7g7f", {}, {}, 5)}),
                                     entry("2g2f", {stored("3c3d", {}, {}, 9)})};
    EXPECT_EQ(start_of(entries), entries.front());
}

TEST(MinimaxBook, TakesACircleOfKnownMovesForADraw) {
    const Entry start =
        start_of({entry("", {stored("4i4h", 25, 20)}), entry("4i4h", {stored("6a6b", 25, 20)}),
                  entry("4i4h 6a6b", {stored("4h4i", 25, 20)}), entry("4i4h 6a6b 4h4i", {stored("6b6a", 25, 20)})});
    EXPECT_EQ(value_of(start, "4i4h"), 0);
}

TEST(MinimaxBook, BacksValuesUpThroughTranspositions) {
    const test::TempFolder folder;
    // 7g7f looks better at first sight, but White's answer to it refutes it; 2g2f transposes to a good position.
    const std::vector<Entry> entries{entry("", {stored("7g7f", 80, 20), stored("2g2f", 30, 20)}),
                                     entry("7g7f", {stored("3c3d", 200, 22), stored("8c8d", -10, 22)}),
                                     entry("2g2f", {stored("3c3d", -40, 24)}),
                                     entry("2g2f 3c3d", {stored("7g7f", 45, 26), stored("2f2e", 45, 30)})};
    write_sorted(folder / "in.db", entries);
    for (const char* name : {"out.db", "out.ybb"}) {
        tool::MinimaxOptions options;
        options.input = folder / "in.db";
        options.output = folder / name;
        const auto report = tool::minimax(
            options, [](const std::string&) {}, [](std::uint64_t, std::uint64_t) {});
        ASSERT_TRUE(report.ok()) << report.error().message;
        EXPECT_EQ(report->positions, 4U);
        EXPECT_EQ(report->moves, 7U);
        EXPECT_EQ(report->inner_moves, 3U);
        EXPECT_EQ(report->best_changed, 1U);
        const auto book = open_book(folder / name);
        ASSERT_TRUE(book.ok());
        const Entry start = (*book)->find(shogi::Setup::even(), Book::Ply::any)->value();
        ASSERT_EQ(start.moves.size(), 2U);
        EXPECT_EQ(start.moves[0].move, test::usi("2g2f"));
        EXPECT_EQ(start.moves[0].value, 45);
        EXPECT_EQ(start.moves[0].depth, 28) << "the leaf's depth and two moves";
        EXPECT_EQ(start.moves[1].value, -200);
        EXPECT_FALSE(tool::minimax(
                         options, [](const std::string&) {}, [](std::uint64_t, std::uint64_t) {})
                         .ok())
            << "an existing book is not replaced unasked";
    }
    EXPECT_EQ(folder.entries(), 3U) << "nothing temporary is left";
}

}  // namespace
}  // namespace tsumugi::book
