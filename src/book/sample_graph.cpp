// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/sample_graph.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace tsumugi::book {

Graph make_graph(const SampleGraph& sample) {
    base::Random random(sample.seed);
    const auto happens = [&](int permille) { return random.below(1000) < static_cast<std::uint64_t>(permille); };
    const std::int64_t last = std::int64_t{sample.positions} - 1;
    // Moves go about as far as a layer of a book of this size is wide.
    const std::int64_t reach = std::max<std::int64_t>(2, sample.positions / 64);
    Graph graph;
    graph.reserve(sample.positions,
                  static_cast<std::size_t>(sample.positions) * static_cast<std::size_t>(sample.moves));
    for (std::int64_t i = 0; i <= last; ++i) {
        // Even numbers are Black's, so an odd step changes the side.
        graph.add(i % 2 == 0 ? shogi::Color::black : shogi::Color::white, happens(sample.check_permille));
        for (int move = 0; move < sample.moves; ++move) {
            const std::int64_t step = 1 + 2 * random.between(0, reach / 2);
            const bool back = happens(sample.back_permille);
            const std::int64_t target = back ? i - step : i + step;
            if (happens(sample.leaf_permille) || target < 0 || target > last)
                graph.add(Graph::Edge::leaf(static_cast<int>(random.normal(0, 150)), 20));
            else
                graph.add(Graph::Edge::to(static_cast<Graph::Node>(target)));
        }
    }
    return graph;
}

}  // namespace tsumugi::book
