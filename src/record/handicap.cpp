// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/handicap.hpp"

#include <array>

#include "record/sfen.hpp"

namespace tsumugi::record {
namespace {

// Left and right are those of the stronger player, who sits on White's side and moves first: the left lance stands
// on file 1, the right one on file 9.
constexpr std::array<Handicap, 16> handicaps{{
    {"平手", "HIRATE", even_sfen},
    {"香落ち", "KY", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"右香落ち", "KY_R", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"角落ち", "KA", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"飛車落ち", "HI", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"飛香落ち", "HIKY", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"二枚落ち", "2", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"三枚落ち", "3", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"四枚落ち", "4", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"五枚落ち", "5", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"左五枚落ち", "5_L", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"六枚落ち", "6", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"左七枚落ち", "7_L", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"右七枚落ち", "7_R", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"八枚落ち", "8", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"十枚落ち", "10", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
}};

template <typename Predicate>
const Handicap* find_where(Predicate&& matches) {
    for (const Handicap& handicap : handicaps)
        if (matches(handicap)) return &handicap;
    return nullptr;
}

}  // namespace

shogi::Setup Handicap::setup() const { return parse_sfen(sfen).value(); }

std::span<const Handicap> all_handicaps() { return handicaps; }

const Handicap* find_handicap_by_kif(std::string_view name) {
    return find_where([&](const Handicap& handicap) { return handicap.kif == name; });
}

const Handicap* find_handicap_by_jkf(std::string_view preset) {
    return find_where([&](const Handicap& handicap) { return handicap.jkf == preset; });
}

const Handicap* find_handicap(const shogi::Setup& start) {
    const std::string sfen = to_sfen(start);
    return find_where([&](const Handicap& handicap) { return handicap.sfen == sfen; });
}

}  // namespace tsumugi::record
