// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/command.hpp"
#include "base/progress.hpp"
#include "record/tool/check.hpp"
#include "record/tool/convert.hpp"
#include "record/tool/statistics.hpp"

namespace tsumugi::app {
namespace {

// A progress display that appears with the first file, when the number of files is known.
class FileProgress {
public:
    explicit FileProgress(std::string label) : label_(std::move(label)) {}

    void operator()(std::size_t total) {
        if (total == 1) return;
        if (!progress_) progress_.emplace(label_, total);
        progress_->add();
    }
    void print(const std::string& line) {
        if (progress_)
            progress_->print(line);
        else
            fmt::print(stderr, "{}\n", line);
    }

private:
    std::string label_;
    std::optional<base::Progress> progress_;
};

struct ConvertChoice {
    record::tool::ConvertOptions options;
    std::string format;
    std::string encoding;
    std::string csa = "2.2";
};

void run_convert(ConvertChoice& choice, Session& session) {
    if (!choice.format.empty()) choice.options.format = record::find_format(choice.format);
    if (!choice.encoding.empty())
        choice.options.encoding = choice.encoding == "sjis"       ? record::Encoding::cp932
                                  : choice.encoding == "utf8-bom" ? record::Encoding::utf8_bom
                                                                  : record::Encoding::utf8;
    choice.options.csa_version = choice.csa == "3.0" ? record::CsaVersion::v3_0 : record::CsaVersion::v2_2;
    FileProgress progress("convert");
    const auto report = record::tool::convert(
        choice.options, [&](const std::string& line) { progress.print(line); },
        [&](std::size_t total) { progress(total); });
    if (!report) return fail(session, report.error().message);
    progress.print(fmt::format("{} games converted from {} files; {} games broken, {} files refused", report->games,
                               report->files, report->broken, report->refused));
    if (report->broken + report->refused > 0) session.exit_code = 1;
}

void run_check(const std::vector<std::string>& inputs, Session& session) {
    FileProgress progress("check");
    const auto report = record::tool::check(
        inputs, [](const std::string& line) { fmt::print("{}\n", line); }, [&](std::size_t total) { progress(total); });
    if (!report) return fail(session, report.error().message);
    fmt::print("{} files, {} games, {} moves; {} malformed, {} with illegal moves\n", report->files, report->games,
               report->moves, report->malformed, report->illegal);
    if (!report->clean()) session.exit_code = 1;
}

void run_statistics(const std::vector<std::string>& inputs, bool json, Session& session) {
    FileProgress progress("stats");
    const auto statistics = record::tool::gather(inputs, [&](std::size_t total) { progress(total); });
    if (!statistics) return fail(session, statistics.error().message);
    fmt::print("{}", json ? statistics->json() : statistics->text());
}

void add_record_convert(CLI::App& record, Session& session) {
    auto choice = std::make_shared<ConvertChoice>();
    CLI::App* command = record.add_subcommand("convert", "Convert game records from one format to another");
    command->add_option("inputs", choice->options.inputs, "Files and folders to read")->required();
    command->add_option("-o,--output", choice->options.output,
                        "File or folder to write, or '-' for standard output (default: beside each input)");
    std::vector<std::string> formats;
    for (const record::Format format : record::all_formats)
        formats.emplace_back(record::name(format));
    command->add_option("--to", choice->format, "Format to write (default: by the extension of the output file)")
        ->check(CLI::IsMember(formats));
    command
        ->add_option("--encoding", choice->encoding,
                     "Encoding to write (default: sjis for .kif and .ki2, utf8 for the rest)")
        ->check(CLI::IsMember({"utf8", "utf8-bom", "sjis"}));
    command->add_option("--csa-version", choice->csa, "Version of CSA to write")
        ->check(CLI::IsMember({"2.2", "3.0"}))
        ->capture_default_str();
    command->add_flag("--force", choice->options.overwrite, "Replace files that exist");
    command->footer(
        "Examples:\n  tsumugi record convert game.kif -o game.csa\n  tsumugi record convert games/ --to jkf -o "
        "converted/\n"
        "  tsumugi record convert game.ki2 --to usi -o -");
    command->callback([choice, &session] { run_convert(*choice, session); });
}

void add_record_check(CLI::App& record, Session& session) {
    auto inputs = std::make_shared<std::vector<std::string>>();
    CLI::App* command = record.add_subcommand("check", "Report every malformed game and every illegal move");
    command->add_option("inputs", *inputs, "Files and folders to read")->required();
    command->footer("Example:\n  tsumugi record check games/");
    command->callback([inputs, &session] { run_check(*inputs, session); });
}

void add_record_statistics(CLI::App& record, Session& session) {
    struct Choice {
        std::vector<std::string> inputs;
        bool json = false;
    };
    auto choice = std::make_shared<Choice>();
    CLI::App* command = record.add_subcommand("stats", "Count games, moves, endings, results and players");
    command->add_option("inputs", choice->inputs, "Files and folders to read")->required();
    command->add_flag("--json", choice->json, "Print JSON");
    command->footer("Example:\n  tsumugi record stats games/ --json");
    command->callback([choice, &session] { run_statistics(choice->inputs, choice->json, session); });
}

}  // namespace

void add_record_command(CLI::App& program, Session& session) {
    CLI::App* command = program.add_subcommand("record", "Work with game records: SFEN, USI, CSA, KIF, KI2, JKF, USEN");
    command->require_subcommand(1);
    add_record_convert(*command, session);
    add_record_check(*command, session);
    add_record_statistics(*command, session);
}

}  // namespace tsumugi::app
