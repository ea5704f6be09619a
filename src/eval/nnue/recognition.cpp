// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/nnue/recognition.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace tsumugi::eval::nnue {
namespace {

constexpr std::size_t two_hashes = 8;

struct Candidate {
    Architecture architecture;
    bool section_hashes = true;
    int votes = 0;
    std::vector<std::string> evidence;
    bool credible = false;
};

// Shapes that published nets have. Others must also be named in the text or by a hash in the right place: a damaged
// file of almost any length fits some odd shape.
constexpr std::array<std::array<int, 3>, 9> usual_shapes{{
    {256, 32, 32},
    {384, 32, 32},
    {512, 32, 32},
    {512, 16, 32},
    {512, 8, 96},
    {768, 16, 64},
    {1024, 8, 32},
    {1024, 8, 64},
    {1024, 16, 32},
}};

bool has_usual_shape(const Architecture& a) {
    return std::find(usual_shapes.begin(), usual_shapes.end(), std::array<int, 3>{a.width, a.first, a.second}) !=
           usual_shapes.end();
}

// Kfile, Krank and P were single experiments, K-P_hm is our own; HalfKPE9 and K-P, of the same sizes, are published.
bool is_usual_set(Feature feature) {
    return feature != Feature::kp_hm && feature != Feature::half_kpk_file && feature != Feature::half_kpk_rank &&
           feature != Feature::p;
}

std::string normalised(std::string_view name) {
    std::string result;
    for (const char c : name.substr(0, name.find('('))) {
        if (c >= 'A' && c <= 'Z') result += static_cast<char>(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) result += c;
    }
    return result;
}

std::optional<int> number_at(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    return value;
}

std::optional<int> number_after(std::string_view text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    return at == std::string_view::npos ? std::nullopt : number_at(text.substr(at + mark.size()));
}

std::optional<Feature> feature_named(std::string_view name) {
    for (const FeatureInfo& each : all_features())
        if (names_feature(name, each)) return each.feature;
    return std::nullopt;
}

// What the header text claims, if it claims a whole classic architecture.
std::optional<Architecture> claimed(std::string_view text) {
    const auto feature = feature_named(feature_in_text(text));
    const auto width = number_after(text, "->");
    const auto second = number_after(text, "AffineTransform[1<-");
    if (!feature || !width || !second) return std::nullopt;
    const auto first = number_after(text, fmt::format("AffineTransform[{}<-", *second));
    if (!first) return std::nullopt;
    Architecture a;
    a.feature = *feature;
    a.width = *width;
    a.second = *second;
    a.first = *first;
    if (!unsupported_reason(a).empty()) return std::nullopt;
    return a;
}

std::size_t classic_bytes(const Architecture& a) { return a.transformer_bytes() + a.stack_bytes(); }

// Shapes whose sizes are multiples of eight and whose files have exactly this many bytes.
void add_fitting(std::vector<Candidate>& found, const FeatureInfo& feature, std::size_t body) {
    Architecture a;
    a.feature = feature.feature;
    for (a.width = 8; a.transformer_bytes() < body; a.width += 8) {
        // Even the largest hidden layers could not fill what would be left.
        a.first = a.second = 256;
        if (!unsupported_reason(a).empty()) break;
        if (a.transformer_bytes() + a.stack_bytes() + two_hashes < body) continue;
        for (a.first = 8; a.first <= 256; a.first += 8)
            for (a.second = 8; a.second <= 256; a.second += 8) {
                const std::size_t bytes = classic_bytes(a);
                if (bytes == body || bytes + two_hashes == body)
                    found.push_back({a, bytes != body, 0, {"size"}, false});
            }
    }
}

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t offset) {
    std::uint32_t word = 0;
    if (offset + sizeof word <= bytes.size()) std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

void vote(Candidate& c, const Header& header, std::span<const std::byte> body,
          const std::optional<Architecture>& claim) {
    const Architecture& a = c.architecture;
    const auto count = [&c](bool agrees, int votes, const char* what) {
        if (!agrees) return;
        c.votes += votes;
        c.evidence.emplace_back(what);
    };
    count(names_feature(feature_in_text(header.text), info(a.feature)), 3, "feature set in the header text");
    const bool shape_named = claim && claim->width == a.width && claim->first == a.first && claim->second == a.second;
    count(shape_named, 3, "shape in the header text");
    count(header.file_hash == a.file_hash(), 2, "file hash");
    const bool network_marked = c.section_hashes && word_at(body, 4 + a.transformer_bytes()) == a.network_hash();
    count(c.section_hashes && word_at(body, 0) == a.transformer_hash(), 3, "hash of the feature transformer");
    count(network_marked, 3, "hash of the network");
    count(has_usual_shape(a) && is_usual_set(a.feature), 1, "a usual shape");
    c.credible = shape_named || network_marked || has_usual_shape(a);
}

std::string list_names(const std::vector<Candidate>& candidates) {
    std::string names;
    for (std::size_t i = 0; i < candidates.size() && i < 6; ++i)
        names += (i == 0 ? "" : ", ") + candidates[i].architecture.name();
    return candidates.size() > 6 ? names + fmt::format(" and {} more", candidates.size() - 6) : names;
}

base::Error size_error(std::size_t body, const Architecture& meant, const char* why) {
    const std::size_t wanted = classic_bytes(meant) + two_hashes;
    if (body < wanted)
        return {base::Error::Code::range,
                fmt::format("truncated: {} needs {} bytes after the header, {} are missing ({})", meant.name(), wanted,
                            wanted - body, why)};
    return {base::Error::Code::range, fmt::format("{} bytes too many for {}, which has {} after the header ({})",
                                                  body - wanted, meant.name(), wanted, why)};
}

// Nothing has the right size: say what comes closest to what the file seems to be.
base::Error no_fit(const Header& header, std::span<const std::byte> body, const std::optional<Architecture>& claim) {
    if (claim) return size_error(body.size(), *claim, "the header text names this architecture");
    std::optional<Architecture> nearest;
    const auto distance = [&](const Architecture& a) {
        return std::llabs(static_cast<long long>(classic_bytes(a) + two_hashes) - static_cast<long long>(body.size()));
    };
    for (const FeatureInfo& feature : all_features())
        for (const auto& shape : usual_shapes) {
            Architecture a;
            a.feature = feature.feature;
            a.width = shape[0];
            a.first = shape[1];
            a.second = shape[2];
            if (header.file_hash == a.file_hash() || word_at(body, 0) == a.transformer_hash())
                return size_error(body.size(), a, "its hash is in the file");
            if (!nearest || distance(a) < distance(*nearest)) nearest = a;
        }
    return {base::Error::Code::unsupported,
            fmt::format("unknown shape: {} bytes of parameters fit no feature set; the nearest usual one is {} with {}",
                        body.size(), nearest->name(), classic_bytes(*nearest) + two_hashes)};
}

}  // namespace

bool names_feature(std::string_view name, const FeatureInfo& feature) {
    const std::string wanted = normalised(name);
    return !wanted.empty() && (wanted == normalised(feature.name) || wanted == normalised(feature.file_name));
}

std::string_view feature_in_text(std::string_view text) {
    const std::size_t mark = text.find("Features=");
    if (mark == std::string_view::npos) return {};
    const std::string_view rest = text.substr(mark + 9);
    return rest.substr(0, rest.find('['));
}

base::Result<Architecture> recognise_classic(Header& header, std::span<const std::byte> body,
                                             std::string_view feature) {
    const std::optional<Architecture> claim = claimed(header.text);
    std::vector<Candidate> candidates;
    for (const FeatureInfo& each : all_features())
        if (feature.empty() || names_feature(feature, each)) add_fitting(candidates, each, body.size());
    if (claim && (feature.empty() || names_feature(feature, info(claim->feature)))) {
        const std::size_t bytes = classic_bytes(*claim);
        const bool known = std::any_of(candidates.begin(), candidates.end(),
                                       [&](const Candidate& c) { return c.architecture == *claim; });
        if (!known && (bytes == body.size() || bytes + two_hashes == body.size()))
            candidates.push_back({*claim, bytes != body.size(), 0, {"size"}, false});
    }
    for (Candidate& each : candidates)
        vote(each, header, body, claim);
    candidates.erase(
        std::remove_if(candidates.begin(), candidates.end(), [](const Candidate& c) { return !c.credible; }),
        candidates.end());
    if (candidates.empty()) return no_fit(header, body, claim);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.votes > b.votes; });
    if (candidates.size() > 1 && candidates[0].votes == candidates[1].votes)
        return base::Error{
            base::Error::Code::unsupported,
            fmt::format("ambiguous: the size fits {}; name the feature set to settle it", list_names(candidates))};
    header.evidence = candidates[0].evidence;
    header.section_hashes = candidates[0].section_hashes;
    return candidates[0].architecture;
}

}  // namespace tsumugi::eval::nnue
