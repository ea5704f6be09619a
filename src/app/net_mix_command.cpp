// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/net_command.hpp"
#include "base/text.hpp"
#include "learn/surgery.hpp"

namespace tsumugi::app {
namespace {

using base::Error;
using base::Result;
using eval::nnue::Parameters;

struct MixOptions {
    std::vector<std::string> nets;
    std::vector<double> ratio;
    std::vector<std::string> own_ranks;
    std::vector<std::string> other_ranks;
    std::string widen;
    std::string feature;
    std::string output;
    bool joined = false;
    bool mirror_image = false;
    bool overwrite = false;
};

// "1-3" or "5", as players count ranks from the far side.
Result<learn::Ranks> parse_ranks(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto first = base::parse_number<int>(text.substr(0, dash), 1, 9);
    if (!first) return first.error();
    const auto last = dash == std::string_view::npos ? first : base::parse_number<int>(text.substr(dash + 1), 1, 9);
    if (!last) return last.error();
    if (*last < *first) return Error{Error::Code::range, fmt::format("'{}' names no ranks", text)};
    learn::Ranks ranks;
    for (int rank = *first; rank <= *last; ++rank)
        ranks.set(static_cast<std::size_t>(rank - 1));
    return ranks;
}

Result<Parameters> load(const std::string& path, const std::string& feature) {
    auto disk = open_net(path, feature);
    if (!disk) return disk.error();
    return std::move(disk->net.parameters);
}

Result<Parameters> average(const MixOptions& options) {
    std::vector<Parameters> nets;
    for (const std::string& path : options.nets) {
        auto net = load(path, options.feature);
        if (!net) return net;
        nets.push_back(*std::move(net));
    }
    if (options.mirror_image)
        for (std::size_t i = 0, count = nets.size(); i < count; ++i) {
            auto image = learn::mirrored(nets[i]);
            if (!image) return image.error().in(options.nets[i]);
            nets.push_back(*std::move(image));
        }
    if (nets.size() == 1) return std::move(nets.front());
    std::vector<const Parameters*> pointers;
    for (const Parameters& net : nets)
        pointers.push_back(&net);
    if (options.joined || options.mirror_image) return learn::joined(pointers);
    const std::vector<double> equal(nets.size(), 1.0);
    return learn::averaged(pointers, options.ratio.empty() ? equal : options.ratio);
}

Result<void> widen(Parameters& net, const std::string& name) {
    for (const auto& each : eval::nnue::all_features()) {
        if (base::to_lower(each.name) != base::to_lower(name)) continue;
        auto wide = learn::widened(net, each.feature);
        if (!wide) return wide.error();
        net = *std::move(wide);
        return {};
    }
    return Error{Error::Code::syntax, fmt::format("there is no feature set '{}'", name)};
}

// Each slice is "RANKS=FILE".
Result<void> take_slices(Parameters& net, const std::vector<std::string>& slices, learn::King king,
                         const std::string& feature) {
    for (const std::string& slice : slices) {
        const std::size_t sign = slice.find('=');
        if (sign == std::string::npos)
            return Error{Error::Code::syntax, fmt::format("'{}' is not like 1-3=nn.bin", slice)};
        const auto ranks = parse_ranks(std::string_view(slice).substr(0, sign));
        if (!ranks) return ranks.error().in(slice);
        const auto donor = load(slice.substr(sign + 1), feature);
        if (!donor) return donor.error();
        if (const auto taken = learn::transplant(net, *donor, king, *ranks); !taken) return taken.error().in(slice);
    }
    return {};
}

Result<void> run(const MixOptions& options) {
    if (!options.ratio.empty() && options.ratio.size() != options.nets.size())
        return Error{Error::Code::range, fmt::format("{} nets need as many numbers after --ratio, not {}",
                                                     options.nets.size(), options.ratio.size())};
    if (!options.overwrite && std::filesystem::exists(options.output))
        return Error{Error::Code::io, fmt::format("{} exists already; --force replaces it", options.output)};
    auto net = average(options);
    if (!net) return net.error();
    if (!options.widen.empty())
        if (const auto widened = widen(*net, options.widen); !widened) return widened;
    const std::string feature = options.widen.empty() ? options.feature : options.widen;
    if (const auto taken = take_slices(*net, options.own_ranks, learn::King::own, feature); !taken) return taken;
    if (const auto taken = take_slices(*net, options.other_ranks, learn::King::other, feature); !taken) return taken;
    if (const auto written = eval::nnue::write_net(options.output, *net); !written) return written;
    fmt::print("{}: {}\n", options.output, net->architecture.name());
    return {};
}

}  // namespace

void add_net_mix_command(CLI::App& net, Session& session) {
    auto options = std::make_shared<MixOptions>();
    CLI::App* command = net.add_subcommand(
        "mix", "Average or join nets, widen their feature set, exchange slices by the rank of a king");
    command->add_option("nets", options->nets, "Nets of one architecture; their mean is taken")->required();
    command->add_option("-o,--output", options->output, "The net to write")->required();
    command->add_option("--ratio", options->ratio, "Weights of the mean, e.g. 3:1 (default: all the same)")
        ->delimiter(':')
        ->allow_extra_args(false);
    CLI::Option* join =
        command->add_flag("--join", options->joined,
                          "Put the nets side by side in one as wide as all of them, whose value is the mean of theirs");
    CLI::Option* mirror =
        command->add_flag("--with-mirror-image", options->mirror_image,
                          "Join every net with its mirror image: a mirrored position gets the same value");
    join->excludes("--ratio");
    mirror->excludes("--ratio");
    command->add_option("--widen", options->widen,
                        "Then make it one over this feature set, of the same value everywhere: K-P_hm and HalfKA from "
                        "K-P, HalfKPKrank, HalfKPKfile and HalfKPE9 from HalfKP");
    command
        ->add_option("--own-ranks", options->own_ranks,
                     "RANKS=FILE: take the rows for the own king on these ranks from another net (1-3 is the "
                     "opponent's camp)")
        ->allow_extra_args(false);
    command
        ->add_option("--other-ranks", options->other_ranks,
                     "RANKS=FILE: the same for the other king (HalfKPKrank; 1-3 is where he starts)")
        ->allow_extra_args(false);
    command->add_option("--feature", options->feature, "Name the feature set when a file fits several");
    command->add_flag("--force", options->overwrite, "Replace a file that exists");
    command->footer(
        "Mixing makes sense between nets of which one was trained from the other; joining, between any.\n\nExamples:\n"
        "  tsumugi net mix a.bin b.bin --ratio 3:1 -o mixed.bin\n"
        "  tsumugi net mix base.bin --own-ranks 1-3=entering.bin -o mixed.bin\n"
        "  tsumugi net mix kp.bin --widen HalfKA_hm2 -o wide.bin\n"
        "  tsumugi net mix kp.bin --with-mirror-image -o twice-as-wide.bin");
    command->callback([options, &session] {
        if (const auto done = run(*options); !done) fail(session, done.error().message);
    });
}

}  // namespace tsumugi::app
