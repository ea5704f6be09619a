// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/clock.hpp"
#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"

namespace tsumugi::app {
namespace {

struct BenchPosition {
    std::string_view name;
    std::string_view text;
};

// The start, four positions that YaneuraOu measures itself with (the fourth also Apery) and three more of Apery's.
constexpr std::array positions{
    BenchPosition{"start", "startpos"},
    BenchPosition{"opening", "sfen lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9"},
    BenchPosition{"attack", "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1"},
    BenchPosition{"endgame", "sfen 6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1"},
    BenchPosition{"matsuri", "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"},
    BenchPosition{"apery-3",
                  "startpos moves 2g2f 3c3d 2f2e 2b3c 7g7f 4c4d 3i4h 8c8d 7i7h 8d8e 8h7g 6a5b 4g4f 3a3b 4h4g 7a6b "
                  "4g5f 5b4c 2h4h 5c5d 5i6h 6b5c 6h7i 5a4b 3g3f 4b3a 2i3g 7c7d 4i5h 4a4b 1g1f 5c6d 4f4e 4d4e 5f4e "
                  "3c7g+ 7h7g 8e8f 7g8f B*5e B*6f 5e3g+ 6f1a+ 3g4h 5h4h R*2i P*4d 4c3c L*4c P*8h B*2b 3a4a 1a2a "
                  "8h8i+ 7i6h 3c4c 4d4c+ 3b2a 4c4b 8b4b 2b3c+ B*7i 6i7i 2i7i+ 6h5h G*3b 3c4b 3b4b R*6a N*5a"},
    BenchPosition{"apery-4",
                  "startpos moves 7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 6i7h 5a4a 5i6i 7c7d "
                  "5h6g 6a5b 6h7g 4b3c 8h7i 2b3a 7i4f 3a6d 3g3f 4c4d 1g1f 9c9d 9g9f 1c1d 2g2f 4a3a 6i7i 5b4c 4h3g "
                  "6b7c 2f2e 3a2b 7i8h 8d8e 4f6d 7c6d 3g2f B*6i 2h4h 7d7e 7h7i 7e7f 7g7f P*7e 7i6i 7e7f 6i7h 6d7e "
                  "B*3g 6c6d B*6c 8e8f 8g8f 9d9e 9f9e 7e8f P*8g 8f8g+ 7h8g P*8f 8g9g 9a9e P*9f S*8g 8h7i P*9h 9i9h "
                  "8g9h 9g9h 8f8g+ P*8c 8b8c 6c7d+ L*7g P*7h 9e9f 8i7g 7f7g+ 9h8g 8c8g+ 6g7g 8g9h 7i6h N*4e 3g4f "
                  "9f9g+ S*4a G*4b 1f1e 4b4a 1e1d 2b3a L*7i P*1b 2e2d 2c2d P*2b 3c2b 2i3g S*8h 4f6d 3b4b 3g4e 8h7g+ "
                  "6h5g G*6g 5g4f 4d4e 4f3g 6g5g P*2c 2b2c N*1e 2c1d S*2c P*6c 7d6c N*2b 2c1d+"},
    BenchPosition{"apery-5",
                  "startpos moves 7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 2g2f 3a4b 2f2e 4b3c 3i4h 6c6d 5g5f 6b6c 6g6f 4a3b "
                  "4i5h 5a4a 5h6g 7c7d 6i7h 8a7c 3g3f 6a5b 5i6i 6c5d 4h3g 4c4d 8h7i 4a3a 3f3e 3d3e 7i3e 4d4e 7f7e "
                  "7d7e P*7d 7c8e 7g8h 8b7b 8g8f 8e9g 8h9g 7b7d 3e5g 6d6e 9g8h 3c3d 8h7g 7e7f 7g7f P*7e 2e2d 7e7f "
                  "P*3e 5d4c 3e3d 2c2d S*3e 6e6f 6g6f S*7g N*5e 7g7h+ 6i7h G*7g 7h6i P*6g P*2c 3b2c 5e4c 5b4c 6i5h"},
};

base::Result<void> set_up(engine::Engine& engine, const BenchSettings& settings) {
    const std::array<std::pair<const char*, std::string>, 4> values{{
        {"USI_OwnBook", "false"},
        {"Threads", std::to_string(settings.threads)},
        {"USI_Hash", std::to_string(settings.table_mib)},
        {"EvalFile", settings.net},
    }};
    for (const auto& [name, value] : values)
        if (auto set = engine.options().set(name, value); !set) return set;
    return engine.prepare();
}

}  // namespace

std::uint64_t BenchResult::nodes() const {
    return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Row& row) { return sum + row.nodes; });
}

double BenchResult::seconds() const {
    return std::accumulate(rows.begin(), rows.end(), 0.0, [](double sum, const Row& row) { return sum + row.seconds; });
}

double BenchResult::nodes_per_second() const { return static_cast<double>(nodes()) / std::max(seconds(), 1e-9); }

base::Result<BenchResult> run_bench(const BenchSettings& settings,
                                    const std::function<void(const BenchResult::Row&)>& finished) {
    engine::Engine engine;
    if (const auto ready = set_up(engine, settings); !ready) return ready.error();
    BenchResult result;
    result.evaluation = engine.evaluator()->description();
    for (const BenchPosition& each : positions) {
        const auto position = protocol::parse_position(each.text);
        if (!position) return position.error().in(std::string(each.name));
        engine.new_game();
        think::SilentObserver silence;
        const base::Stopwatch watch;
        think::Limits limits;
        if (settings.move_time)
            limits.move_time = settings.move_time;
        else
            limits.depth = settings.depth;
        const think::Answer answer = engine.think(*position, limits, silence, {});
        BenchResult::Row& row = result.rows.emplace_back();
        row = {each.name, engine.outcome().nodes, engine.outcome().depth, watch.seconds(), record::to_usi(answer.move)};
        finished(row);
    }
    return result;
}

}  // namespace tsumugi::app
