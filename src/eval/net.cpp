// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/net.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "eval/material.hpp"
#include "eval/nnue/evaluator.hpp"
#include "eval/nnue/file.hpp"
#include "eval/nnue/kernel/choice.hpp"

// Where the build has put nets/default.nnue (cmake/embed.cmake); both are the same address when there is none.
extern "C" const std::byte tsumugi_default_net_begin[];
extern "C" const std::byte tsumugi_default_net_end[];

namespace tsumugi::eval {

base::Result<std::shared_ptr<const Evaluator>> read_net(std::span<const std::byte> bytes, const NetOptions& options) {
    if (options.fv_scale < 0)
        return base::Error{base::Error::Code::range,
                           fmt::format("FV_SCALE must be at least 1, got {}", options.fv_scale)};
    const auto file = nnue::read_net_file(bytes, options.feature);
    if (!file) return file.error();
    auto evaluator = nnue::make_evaluator(file->parameters, options.fv_scale, nnue::best_kernel());
    if (!evaluator) return evaluator.error();
    return std::shared_ptr<const Evaluator>(std::move(*evaluator));
}

base::Result<std::shared_ptr<const Evaluator>> load_net(const std::filesystem::path& path, const NetOptions& options) {
    const auto file = base::MappedFile::open(path);
    if (!file) return file.error();
    auto evaluator = read_net(file->bytes(), options);
    if (!evaluator) return evaluator.error().in(path.string());
    return evaluator;
}

std::shared_ptr<const Evaluator> default_evaluator(const NetOptions& options) {
    const std::span<const std::byte> bytes(tsumugi_default_net_begin, tsumugi_default_net_end);
    if (bytes.empty()) return material_evaluator();
    auto evaluator = read_net(bytes, options);
    // Not an expected failure: the tests of every build load this net.
    if (!evaluator) throw std::logic_error("the built-in net is broken: " + evaluator.error().message);
    return *evaluator;
}

base::Result<std::shared_ptr<const Evaluator>> choose_evaluator(const std::string& name, const NetOptions& options) {
    if (name == material_name) return material_evaluator();
    if (name.empty()) return default_evaluator(options);
    return load_net(name, options);
}

}  // namespace tsumugi::eval
