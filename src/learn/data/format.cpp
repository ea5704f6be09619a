// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/data/format.hpp"

#include <array>
#include <cstdlib>

#include "base/text.hpp"
#include "learn/data/item.hpp"
#include "record/hcp.hpp"

namespace tsumugi::learn::data {
namespace {

using base::Result;
using record::HcpeResult;
using record::PackedSfenValue;

static_assert(Hcpe::size == record::Hcpe::size);

template <typename Value, std::size_t size>
void append_record(const Value& value, std::string& out) {
    std::array<std::uint8_t, size> bytes{};
    write(value, bytes);
    out.append(bytes.begin(), bytes.end());
}

HcpeResult absolute(shogi::Color side, int result) {
    if (result == 0) return HcpeResult::draw;
    return (side == shogi::Color::black) == (result > 0) ? HcpeResult::black_win : HcpeResult::white_win;
}

}  // namespace

Format format_of(const std::filesystem::path& path) {
    const std::string extension = base::to_lower(path.extension().string());
    if (extension == ".psv" || extension == ".bin") return Format::psv;
    if (extension == ".hcpe") return Format::hcpe;
    if (extension == ".hcpe3") return Format::hcpe3;
    return Format::archive;
}

std::string_view name_of(Format format) {
    switch (format) {
        case Format::archive: return "archive";
        case Format::psv: return "PackedSfenValue";
        case Format::hcpe: return "hcpe";
        case Format::hcpe3: return "hcpe3";
    }
    std::abort();  // unreachable: the switch names every value
}

Result<PackedSfenValue> Psv::read(std::span<const std::uint8_t, size> bytes) {
    return record::read_packed_sfen_value(bytes);
}

Result<void> Psv::append(const PackedSfenValue& value, std::string& out) {
    append_record<PackedSfenValue, size>(value, out);
    return {};
}

Result<PackedSfenValue> Hcpe::read(std::span<const std::uint8_t, size> bytes) {
    const auto value = record::read_hcpe(bytes);
    if (!value) return value.error();
    const auto setup = record::from_hcp(value->position);
    if (!setup) return setup.error();
    const auto packed = record::to_packed_sfen(*setup);
    if (!packed) return packed.error();
    return PackedSfenValue{*packed, value->eval, value->move, 0,
                           static_cast<std::int8_t>(result_for(setup->side_to_move, value->result))};
}

Result<void> Hcpe::append(const PackedSfenValue& value, std::string& out) {
    const auto setup = record::from_packed_sfen(value.position);
    if (!setup) return setup.error();
    const auto packed = record::to_hcp(*setup);
    if (!packed) return packed.error();
    append_record<record::Hcpe, size>(
        record::Hcpe{*packed, value.score, value.move, absolute(setup->side_to_move, value.result)}, out);
    return {};
}

}  // namespace tsumugi::learn::data
