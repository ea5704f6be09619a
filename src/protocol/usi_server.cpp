// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/usi_server.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <thread>

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/bod.hpp"
#include "record/sfen.hpp"
#include "shogi/perft.hpp"

namespace tsumugi::protocol {
namespace {

constexpr std::string_view log_option = "DebugLogFile";

// Sends a blank line now and then while it lives.
class KeepAlive {
public:
    KeepAlive(LineWriter& output, std::chrono::milliseconds interval)
        : thread_([&output, interval](const std::stop_token& stop) {
              std::mutex mutex;
              std::condition_variable_any wake;
              std::unique_lock lock(mutex);
              while (!wake.wait_for(lock, stop, interval, [&stop] { return stop.stop_requested(); }))
                  output.line("");
          }) {}

private:
    std::jthread thread_;
};

// Turns what a player thinks into `info` lines.
class InfoWriter : public think::Observer {
public:
    InfoWriter(LineWriter& output, const shogi::Position& root) : output_(output), root_(root) {}

    void on_line(const think::Line& line) override { output_.line(to_info_line(line, root_)); }
    void on_text(const std::string& text) override { output_.info(text); }

private:
    LineWriter& output_;
    const shogi::Position& root_;
};

std::pair<std::string_view, std::string_view> split_first_word(std::string_view line) {
    const std::string_view text = base::trim(line);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    return {text.substr(0, end), base::trim(text.substr(end))};
}

}  // namespace

UsiServer::UsiServer(think::Player& player, LineWriter& output, Settings settings)
    : player_(player), output_(output), settings_(std::move(settings)), jobs_(std::make_unique<JobQueue>()) {
    player_.options().add_filename(std::string(log_option), "", "Append the whole conversation to this file.");
}

UsiServer::~UsiServer() { stop_searches(); }

std::span<const UsiServer::Handler> UsiServer::handlers() {
    static constexpr std::array all{
        Handler{"usi", "introduce the engine and its options", &UsiServer::usi},
        Handler{"isready", "load what is needed to play", &UsiServer::isready},
        Handler{"setoption", "name X value Y", &UsiServer::setoption},
        Handler{"usinewgame", "a new game begins", &UsiServer::usinewgame},
        Handler{"position", "startpos | sfen … [moves …]", &UsiServer::position},
        Handler{
            "go",
            "[ponder] btime wtime byoyomi binc winc | movetime | nodes | depth | infinite | mate | perft, searchmoves",
            &UsiServer::go},
        Handler{"ponderhit", "the expected move was played; times may follow", &UsiServer::ponderhit},
        Handler{"stop", "answer now", &UsiServer::stop},
        Handler{"gameover", "win | lose | draw", &UsiServer::gameover},
        Handler{"d", "show the position", &UsiServer::print_board},
        Handler{"moves", "list the legal moves", &UsiServer::print_moves},
        Handler{"perft", "DEPTH: count the leaves of the game tree", &UsiServer::perft},
        Handler{"getoption", "[NAME]: show one option or all", &UsiServer::getoption},
        Handler{"help", "show this list", &UsiServer::help},
    };
    return all;
}

void UsiServer::run(const Source& next_line) {
    while (const auto line = next_line())
        if (!handle(*line)) break;
    stop_searches();
    jobs_.reset();
}

bool UsiServer::handle(std::string_view line) {
    output_.log_input(line);
    const auto [name, arguments] = split_first_word(line);
    if (name.empty()) return true;
    if (name == "quit") return false;
    for (const Handler& handler : handlers())
        if (handler.name == name) {
            (this->*handler.run)(arguments);
            return true;
        }
    for (const ConsoleCommand& command : console_)
        if (command.name == name) {
            jobs_->add([this, &command, words = std::string(arguments), position = position_] {
                command.run({words, position, [this](std::string_view text) { output_.line(text); }});
            });
            return true;
        }
    output_.info(fmt::format("unknown command '{}'; `help` lists them", quote(name)));
    return true;
}

void UsiServer::usi(std::string_view) {
    const std::lock_guard lock(options_mutex_);
    output_.line("id name " + player_.name());
    output_.line("id author " + player_.author());
    for (const think::Option& option : player_.options().all())
        output_.line(to_option_line(option));
    output_.line("usiok");
}

void UsiServer::isready(std::string_view) {
    {
        // During a search this can only mean "are you there?", as in UCI.
        const std::lock_guard lock(searches_mutex_);
        if (!searches_.empty()) return output_.line("readyok");
    }
    jobs_->add([this] {
        prepare();
        // Even after a failure, which was reported: a GUI that waits for this word would wait for ever.
        output_.line("readyok");
    });
}

void UsiServer::prepare() {
    const KeepAlive keep_alive(output_, settings_.keep_alive);
    read_options_file();
    prepared_ = true;
    try {
        const auto result = player_.prepare();
        if (!result) output_.info("Error: " + result.error().message);
    } catch (const std::exception& problem) {
        output_.info(fmt::format("Error: {}", problem.what()));
    }
}

// Lines as in a conversation, `setoption name X value Y` or an `option` line whose default counts, or just `X Y`.
void UsiServer::read_options_file() {
    std::error_code ignored;
    if (settings_.options_file.empty() || !std::filesystem::is_regular_file(settings_.options_file, ignored)) return;
    const auto content = base::read_file(settings_.options_file);
    if (!content) return output_.info("Error: " + content.error().message);
    for (const std::string_view line : base::split_lines(*content)) {
        const auto [first, rest] = split_first_word(line);
        if (first.empty() || first[0] == '#' || first.substr(0, 2) == "//") continue;
        if (first == "setoption") {
            const auto setting = parse_setoption(rest);
            if (setting) set_option(setting->first, setting->second);
        } else if (first == "option") {
            const auto option = parse_option(rest);
            if (option) set_option(option->name, option->initial);
        } else {
            set_option(first, rest);
        }
    }
}

void UsiServer::setoption(std::string_view arguments) {
    auto setting = parse_setoption(arguments);
    if (!setting) return output_.info("Error: " + setting.error().message);
    jobs_->add([this, setting = *std::move(setting)] { set_option(setting.first, setting.second); });
}

void UsiServer::set_option(std::string_view name, std::string_view value) {
    const std::lock_guard lock(options_mutex_);
    std::string known(name);
    // The name of some options has a space elsewhere, as in `Clear Hash`.
    if (player_.options().find(known) == nullptr) std::replace(known.begin(), known.end(), ' ', '_');
    try {
        const auto result = player_.options().set(known, value);
        if (!result) return output_.info("Error: " + result.error().message);
    } catch (const std::exception& problem) {  // of a button
        return output_.info(fmt::format("Error: {}", problem.what()));
    }
    if (player_.options().find(known)->name != log_option) return;
    const auto opened = output_.log_to(player_.options().text(log_option));
    if (!opened) output_.info("Error: " + opened.error().message);
}

void UsiServer::usinewgame(std::string_view) {
    stop_searches();
    jobs_->add([this] { player_.new_game(); });
}

void UsiServer::position(std::string_view arguments) {
    auto position = parse_position(arguments);
    if (!position)
        return output_.info("Error: position: " + position.error().message + "; the position before is kept");
    position_ = *std::move(position);
}

void UsiServer::go(std::string_view arguments) {
    // The clock runs from here, whatever else has to end first.
    const GoRequest request = parse_go(arguments, position_);
    for (const std::string& warning : request.warnings)
        output_.info(warning);
    if (request.perft) return count_leaves(*request.perft);
    stop_searches();
    start_search(request.limits);
}

void UsiServer::start_search(const think::Limits& limits) {
    auto search = std::make_shared<Search>();
    search->ponder = limits.ponder_signal;
    {
        const std::lock_guard lock(searches_mutex_);
        searches_.push_back(search);
    }
    jobs_->add([this, search, root = position_, limits] { think(*search, root, limits); });
}

void UsiServer::think(Search& search, const shogi::Position& root, const think::Limits& limits) {
    if (!prepared_) prepare();
    const std::string answer = answer_to(search, root, limits);
    {
        // Before the answer: whoever reads it may at once send what must not meet a search.
        const std::lock_guard lock(searches_mutex_);
        std::erase_if(searches_, [&](const auto& each) { return each.get() == &search; });
    }
    output_.line(answer);
}

std::string UsiServer::answer_to(const Search& search, const shogi::Position& root, const think::Limits& limits) {
    InfoWriter observer(output_, root);
    try {
        if (limits.mate) return to_checkmate_line(player_.find_mate(root, limits, observer, search.stop.get_token()));
        return to_bestmove_line(player_.think(root, limits, observer, search.stop.get_token()), root);
    } catch (const std::exception& problem) {
        output_.info(fmt::format("Error: {}", problem.what()));
        return limits.mate ? "checkmate timeout" : "bestmove resign";
    }
}

void UsiServer::ponderhit(std::string_view arguments) {
    const std::lock_guard lock(searches_mutex_);
    if (searches_.empty() || !searches_.back()->ponder) return;
    searches_.back()->ponder->hit(parse_clock(arguments));
}

void UsiServer::stop(std::string_view) { stop_searches(); }

void UsiServer::stop_searches() {
    const std::lock_guard lock(searches_mutex_);
    for (const auto& search : searches_)
        search->stop.request_stop();
}

void UsiServer::gameover(std::string_view arguments) {
    // It may come while we think or ponder, without a `stop` before it.
    stop_searches();
    const auto result = arguments == "win"    ? think::GameResult::win
                        : arguments == "lose" ? think::GameResult::loss
                                              : think::GameResult::draw;
    jobs_->add([this, result] { player_.game_over(result); });
}

void UsiServer::print_board(std::string_view) {
    output_.line(base::trim(record::to_bod(position_.setup())));
    output_.line("sfen " + record::to_sfen(position_.setup()));
    output_.line(fmt::format("key {:016x}  occurrences {}  {}", position_.key(), position_.occurrences(),
                             position_.in_check() ? "in check" : "not in check"));
}

void UsiServer::print_moves(std::string_view) {
    shogi::MoveList moves;
    shogi::legal_moves(position_, moves);
    std::vector<std::string> texts;
    for (const shogi::Move move : moves)
        texts.push_back(record::to_usi(move));
    std::sort(texts.begin(), texts.end());
    output_.line(fmt::format("{} legal moves: {}", texts.size(), base::join(texts, " ")));
}

void UsiServer::perft(std::string_view arguments) {
    const auto depth = base::parse_number<int>(arguments, 0, 100);
    if (!depth) return output_.info("Error: perft: " + depth.error().message);
    count_leaves(*depth);
}

void UsiServer::count_leaves(int depth) {
    jobs_->add([this, depth, position = position_]() mutable {
        const base::Stopwatch watch;
        const std::uint64_t leaves = shogi::perft(position, depth);
        output_.line(fmt::format("perft {} leaves {} time {} ms", depth, leaves, watch.milliseconds().count()));
    });
}

void UsiServer::getoption(std::string_view arguments) {
    jobs_->add([this, wanted = std::string(arguments)] {
        const std::lock_guard lock(options_mutex_);
        if (!wanted.empty() && player_.options().find(wanted) == nullptr)
            return output_.info(fmt::format("Error: there is no option '{}'", quote(wanted)));
        for (const think::Option& option : player_.options().all())
            if (wanted.empty() || &option == player_.options().find(wanted))
                output_.line(fmt::format("{} = {}", option.name, option.value));
    });
}

void UsiServer::help(std::string_view) {
    for (const Handler& handler : handlers())
        output_.line(fmt::format("{:<12}{}", handler.name, handler.help));
    for (const ConsoleCommand& command : console_)
        output_.line(fmt::format("{:<12}{}", command.name, command.help));
    output_.line(fmt::format("{:<12}{}", "quit", "end"));
}

}  // namespace tsumugi::protocol
