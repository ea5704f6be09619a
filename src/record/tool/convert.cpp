// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/tool/convert.hpp"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "base/file.hpp"

namespace tsumugi::record::tool {
namespace {

using base::Error;
using base::Result;
namespace fs = std::filesystem;

enum class Target { beside, file, folder, standard_output };

Target target_of(const ConvertOptions& options, std::size_t files) {
    if (options.output.empty()) return Target::beside;
    if (options.output == "-") return Target::standard_output;
    const bool many = files != 1 || options.inputs.size() != 1 || fs::is_directory(options.inputs[0]);
    if (many || fs::is_directory(options.output) || options.output.ends_with('/')) return Target::folder;
    return Target::file;
}

class Converter {
public:
    Converter(const ConvertOptions& options, Format format, Target target,
              const std::function<void(const std::string&)>& complain)
        : options_(options), format_(format), target_(target), complain_(complain) {}

    void convert(const InputFile& input) {
        ++report_.files;
        const auto bytes = base::read_file(input.path);
        if (!bytes) return refuse(bytes.error().message);
        const GameFile file = read_games(*bytes, format_of_name(input.path));
        for (const Problem& problem : file.problems)
            complain_(problem.text(input.path.string()));
        report_.broken += file.problems.size();
        if (file.games.empty()) return;
        const fs::path output = output_for(input);
        if (holds_many(format_) || file.games.size() == 1) return write(file.games, output);
        // One file a game, numbered.
        for (std::size_t i = 0; i < file.games.size(); ++i) {
            fs::path numbered = output;
            numbered.replace_filename(
                fmt::format("{}-{:04}{}", output.stem().string(), i + 1, output.extension().string()));
            write(std::span(&file.games[i], 1), numbered);
        }
    }

    [[nodiscard]] const ConvertReport& report() const { return report_; }

private:
    [[nodiscard]] fs::path output_for(const InputFile& input) const {
        if (target_ == Target::file) return options_.output;
        fs::path path = target_ == Target::folder ? fs::path(options_.output) / input.relative : input.path;
        return path.replace_extension(std::string(".") + std::string(name(format_)));
    }

    void write(std::span<const Game> games, const fs::path& output) {
        const WriteOptions how{
            options_.encoding.value_or(target_ == Target::standard_output ? Encoding::utf8 : usual_encoding(output)),
            options_.csa_version};
        const auto bytes = write_games(games, format_, how);
        if (!bytes) return refuse(fmt::format("{}: {}", output.string(), bytes.error().message));
        if (target_ == Target::standard_output) {
            fmt::print("{}", *bytes);
            report_.games += games.size();
            return;
        }
        if (!options_.overwrite && fs::exists(output))
            return refuse(fmt::format("{}: exists already; use --force to replace it", output.string()));
        std::error_code problem;
        if (output.has_parent_path()) fs::create_directories(output.parent_path(), problem);
        if (problem)
            return refuse(
                fmt::format("cannot create the folder '{}': {}", output.parent_path().string(), problem.message()));
        if (auto done = base::write_file(output, *bytes); !done) return refuse(done.error().message);
        report_.games += games.size();
    }

    void refuse(const std::string& message) {
        ++report_.refused;
        complain_(message);
    }

    const ConvertOptions& options_;
    Format format_;
    Target target_;
    const std::function<void(const std::string&)>& complain_;
    ConvertReport report_;
};

}  // namespace

Result<ConvertReport> convert(const ConvertOptions& options, const std::function<void(const std::string&)>& complain,
                              const std::function<void(std::size_t)>& advance) {
    const auto files = list_files(options.inputs);
    if (!files) return files.error();
    const Target target = target_of(options, files->size());
    auto format = options.format;
    if (!format && target == Target::file) format = format_of_name(options.output);
    if (!format)
        return Error{Error::Code::syntax,
                     "the output format is not known; name it with --to or by the extension of the output file"};
    Converter converter(options, *format, target, complain);
    for (const InputFile& input : *files) {
        converter.convert(input);
        advance(files->size());
    }
    return converter.report();
}

}  // namespace tsumugi::record::tool
