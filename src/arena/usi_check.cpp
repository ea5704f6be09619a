// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/usi_check.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arena/dialogue.hpp"
#include "base/clock.hpp"
#include "base/text.hpp"
#include "protocol/usi_text.hpp"
#include "record/sfen.hpp"
#include "report/table.hpp"
#include "shogi/position.hpp"

namespace tsumugi::arena {
namespace {

using std::chrono::milliseconds;
using ItemVerdict = UsiCheckItem::Verdict;

constexpr milliseconds time_margin{100};

// A position with its name.
struct Sample {
    std::string_view name;
    std::string_view position;
};

constexpr std::array<Sample, 5> samples{{
    {"the start", "startpos"},
    {"a game", "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b"},
    {"a handicap game, White to move", "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    {"full hands", "sfen 8k/9/9/9/9/9/9/9/K8 b RB2G2S2N2L9Prb2g2s2n2l9p 1"},
    {"an SFEN without a move number", "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"},
}};
constexpr std::string_view mated = "sfen 4k4/9/9/9/9/9/3+r5/4g4/4K4 b - 1";
constexpr std::string_view declarable =
    "sfen K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b 2L8Pb4p 1";

class Checker {
public:
    Checker(Dialogue dialogue, const UsiCheckSettings& settings)
        : dialogue_(std::move(dialogue)), settings_(settings) {}

    UsiCheckReport run() {
        if (!greet() || !get_ready("answers isready")) return finish();
        check_options();
        check_unknown_command();
        for (const Sample& sample : samples)
            if (!check_move(sample)) return finish();
        check_one_answer();
        check_byoyomi();
        if (!check_stop("go infinite", "stop")) return finish();
        if (!check_stop("go ponder btime 60000 wtime 60000 byoyomi 1000", "stop")) return finish();
        if (!check_ponder_hit()) return finish();
        check_mated();
        check_declaration();
        check_next_game();
        check_mate_search();
        check_output();
        check_quit();
        return finish();
    }

private:
    void note(std::string name, ItemVerdict verdict, std::string detail = "") {
        report_.items.push_back({std::move(name), verdict, std::move(detail)});
    }
    // Passed, or how badly not.
    bool expect(std::string name, bool good, ItemVerdict otherwise, std::string detail) {
        note(std::move(name), good ? ItemVerdict::pass : otherwise, good ? "" : std::move(detail));
        return good;
    }
    [[nodiscard]] std::string silence_text() const { return dialogue_.ended() ? "the program ended" : "no answer"; }

    // Starts to listen anew, after looking for lines that are not USI.
    void forget() {
        constexpr std::array<std::string_view, 10> known{
            "id", "option", "usiok", "readyok", "bestmove", "checkmate", "info", "copyprotection", "registration", ""};
        for (const std::string& line : dialogue_.heard()) {
            const auto words = base::split_words(line);
            if (std::find(known.begin(), known.end(), words.empty() ? "" : words[0]) == known.end()) strange_ = line;
        }
        dialogue_.forget();
    }

    UsiCheckReport finish() {
        if (dialogue_.ended() && !finished_)
            note("keeps running", ItemVerdict::failure, "it ended during the checks before");
        return std::move(report_);
    }

    bool greet() {
        dialogue_.say("usi");
        if (!expect("answers usi with usiok", dialogue_.hear("usiok", settings_.greeting).has_value(),
                    ItemVerdict::failure, silence_text()))
            return false;
        std::string author;
        for (const std::string& line : dialogue_.heard()) {
            if (const auto rest = Dialogue::after_word(line, "id name")) report_.engine = *rest;
            if (const auto rest = Dialogue::after_word(line, "id author")) author = *rest;
        }
        expect("gives its name and author", !report_.engine.empty() && !author.empty(), ItemVerdict::warning,
               "id name or id author is missing");
        return true;
    }

    bool get_ready(const std::string& name) {
        dialogue_.say("isready");
        return expect(name, dialogue_.hear("readyok", settings_.loading).has_value(), ItemVerdict::failure,
                      silence_text());
    }

    void check_options() {
        std::string bad;
        std::string spaced;
        std::set<std::string> names;
        for (const std::string& line : dialogue_.heard()) {
            const auto words = Dialogue::after_word(line, "option");
            if (!words) continue;
            const auto option = protocol::parse_option(*words);
            if (!option || !names.insert(base::to_lower(option->name)).second || !default_fits(*option))
                bad = protocol::quote(line);
            else if (option->name.find(' ') != std::string::npos)
                spaced = protocol::quote(option->name);
        }
        expect("describes its options well", bad.empty(), ItemVerdict::warning, bad);
        expect("has no spaces in option names", spaced.empty(), ItemVerdict::warning,
               spaced + ": some GUIs cannot set it");
        expect("has the option USI_Hash", names.contains("usi_hash"), ItemVerdict::warning,
               "the size of its table cannot be set in the usual way");
        dialogue_.say("setoption name USI_Hash value 16");
        dialogue_.say("setoption name USI_Ponder value false");
        get_ready("accepts USI_Hash and USI_Ponder");
    }

    static bool default_fits(const think::Option& option) {
        using Type = think::Option::Type;
        if (option.type == Type::check) return option.initial == "true" || option.initial == "false";
        if (option.type == Type::combo)
            return std::find(option.choices.begin(), option.choices.end(), option.initial) != option.choices.end();
        if (option.type != Type::spin) return true;
        const auto number = base::parse_number<std::int64_t>(option.initial);
        return number && option.minimum <= *number && *number <= option.maximum;
    }

    void check_unknown_command() {
        dialogue_.say("such-a-command-does-not-exist with words");
        dialogue_.say("");
        dialogue_.say("setoption name NoSuchOptionExists value 1");
        get_ready("ignores what it does not know");
        dialogue_.say("usinewgame");
    }

    [[nodiscard]] std::string go_byoyomi() const {
        return fmt::format("go btime 0 wtime 0 byoyomi {}", settings_.byoyomi.count());
    }

    // Asks for a move and checks it and the lines before it.
    std::optional<std::string> ask(std::string_view position, std::string_view go, milliseconds patience) {
        dialogue_.say(fmt::format("position {}", position));
        forget();
        dialogue_.say(go);
        return dialogue_.hear("bestmove", patience);
    }

    bool check_move(const Sample& sample) {
        const auto answer = ask(sample.position, go_byoyomi(), settings_.byoyomi + settings_.answer);
        const std::string name = fmt::format("moves in {}", sample.name);
        if (!answer) return expect(name, false, ItemVerdict::failure, silence_text());
        const auto position = *protocol::parse_position(sample.position);
        const auto move = protocol::parse_bestmove(*answer, position);
        expect(name, move && move->kind == think::Answer::Kind::move, ItemVerdict::failure,
               move ? "it gave up" : move.error().message);
        check_info(sample, position);
        return true;
    }

    void check_info(const Sample& sample, const shogi::Position& root) {
        std::string bad;
        for (const std::string& line : dialogue_.heard()) {
            const auto words = base::split_words(line);
            const auto pv = std::find(words.begin(), words.end(), "pv");
            if (words.empty() || words[0] != "info" || std::find(words.begin(), pv, "string") != pv) continue;
            shogi::Position position = root;
            for (auto word = pv; word != words.end() && ++word != words.end();) {
                const auto move = record::parse_usi_move(*word);
                if (!move || !position.is_legal(*move)) {
                    bad = protocol::quote(*word);
                    break;
                }
                position.do_move(*move);
            }
        }
        if (!bad.empty())
            note(fmt::format("shows playable lines in {}", sample.name), ItemVerdict::warning,
                 fmt::format("'{}' cannot be played there", bad));
    }

    void check_one_answer() {
        dialogue_.listen(settings_.silence);
        expect("answers each go once", dialogue_.count("bestmove") == 1, ItemVerdict::failure,
               fmt::format("{} answers to one go", dialogue_.count("bestmove")));
    }

    void check_byoyomi() {
        const base::Stopwatch watch;
        const auto answer = ask("startpos moves 7g7f", go_byoyomi(), settings_.byoyomi + settings_.answer);
        const auto spent = watch.milliseconds();
        expect("keeps the time of byoyomi", answer && spent <= settings_.byoyomi + time_margin, ItemVerdict::failure,
               answer ? fmt::format("{} ms of {} ms", spent.count(), settings_.byoyomi.count()) : silence_text());
        const base::Stopwatch fischer_watch;
        const auto fischer = ask("startpos moves 7g7f",
                                 fmt::format("go btime {0} wtime {0} binc {0} winc {0}", settings_.byoyomi.count()),
                                 2 * settings_.byoyomi + settings_.answer);
        expect("keeps the time of a clock with increments",
               fischer && fischer_watch.milliseconds() <= 2 * settings_.byoyomi + time_margin, ItemVerdict::failure,
               fischer ? fmt::format("{} ms", fischer_watch.milliseconds().count()) : silence_text());
    }

    bool check_stop(std::string_view go, std::string_view command) {
        dialogue_.say("position startpos");
        forget();
        dialogue_.say(go);
        dialogue_.listen(settings_.silence);
        const bool early = dialogue_.count("bestmove") > 0 || dialogue_.ended();
        const std::string words(go.substr(0, go.find(' ', 3)));
        expect(fmt::format("waits after {}", words), !early, ItemVerdict::failure,
               dialogue_.ended() ? silence_text() : "it answered without being asked to");
        if (early) return !dialogue_.ended();
        const base::Stopwatch watch;
        dialogue_.say(command);
        const auto answer = dialogue_.hear("bestmove", settings_.answer);
        return expect(fmt::format("answers {} after {}", command, words),
                      answer && watch.milliseconds() <= milliseconds(1000), ItemVerdict::failure,
                      answer ? fmt::format("only after {} ms", watch.milliseconds().count()) : silence_text());
    }

    bool check_ponder_hit() {
        dialogue_.say("position startpos moves 7g7f 3c3d");
        forget();
        dialogue_.say(fmt::format("go ponder btime 0 wtime 0 byoyomi {}", settings_.byoyomi.count()));
        dialogue_.listen(settings_.silence);
        const base::Stopwatch watch;
        dialogue_.say("ponderhit");
        const auto answer = dialogue_.hear("bestmove", settings_.byoyomi + settings_.answer);
        return expect("answers ponderhit", answer && watch.milliseconds() <= settings_.byoyomi + time_margin,
                      ItemVerdict::failure,
                      answer ? fmt::format("only after {} ms", watch.milliseconds().count()) : silence_text());
    }

    void check_mated() {
        const auto answer = ask(mated, go_byoyomi(), settings_.byoyomi + settings_.answer);
        expect("resigns when mated", answer == "resign", ItemVerdict::warning,
               answer ? fmt::format("bestmove {}", protocol::quote(*answer)) : silence_text());
    }

    void check_declaration() {
        const auto answer = ask(declarable, go_byoyomi(), settings_.byoyomi + settings_.answer);
        const auto move = protocol::parse_bestmove(answer.value_or(""), *protocol::parse_position(declarable));
        if (!expect("answers where it could declare a win", answer && move, ItemVerdict::failure,
                    move ? silence_text() : move.error().message))
            return;
        expect("declares a win by the 27-point rule", *answer == "win", ItemVerdict::warning,
               fmt::format("bestmove {}", protocol::quote(*answer)));
    }

    void check_next_game() {
        dialogue_.say("gameover win");
        get_ready("gets ready for another game");
        dialogue_.say("usinewgame");
        const auto answer = ask("startpos", go_byoyomi(), settings_.byoyomi + settings_.answer);
        expect("plays another game", answer.has_value(), ItemVerdict::failure, silence_text());
    }

    void check_mate_search() {
        dialogue_.say("position sfen 4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
        dialogue_.say(fmt::format("go mate {}", 3 * settings_.byoyomi.count()));
        const auto answer = dialogue_.hear("checkmate", 3 * settings_.byoyomi + settings_.answer);
        expect("answers go mate", answer.has_value(), ItemVerdict::warning,
               "no checkmate line; engines without a mate solver say `checkmate notimplemented`");
        if (!answer) dialogue_.say("stop");
        if (!answer) dialogue_.listen(settings_.silence);
    }

    void check_output() {
        forget();
        expect("says only USI on its output", strange_.empty(), ItemVerdict::warning, protocol::quote(strange_));
    }

    void check_quit() {
        dialogue_.say("quit");
        const auto status = dialogue_.end(milliseconds(3000));
        expect("ends after quit", status.has_value(), ItemVerdict::failure, "still running after 3 s");
        if (status) expect("ends with status 0", status->success(), ItemVerdict::warning, status->describe());
        finished_ = true;
    }

    Dialogue dialogue_;
    UsiCheckSettings settings_;
    UsiCheckReport report_;
    std::string strange_;
    bool finished_ = false;  // it was asked to end
};

std::string_view word(ItemVerdict verdict) {
    switch (verdict) {
        case ItemVerdict::pass: return "ok";
        case ItemVerdict::warning: return "WARNING";
        case ItemVerdict::failure: return "FAILURE";
    }
    return "";
}

}  // namespace

UsiCheckReport check_usi(const std::vector<std::string>& command, const UsiCheckSettings& settings) {
    auto dialogue = Dialogue::start(command);
    if (dialogue) return Checker(*std::move(dialogue), settings).run();
    UsiCheckReport report;
    report.items.push_back({"can be started", ItemVerdict::failure, dialogue.error().message});
    return report;
}

bool UsiCheckReport::passed() const {
    return std::none_of(items.begin(), items.end(),
                        [](const UsiCheckItem& item) { return item.verdict == ItemVerdict::failure; });
}

std::string UsiCheckReport::to_text() const {
    report::Table table({"check", "result", "detail"});
    std::array<int, 3> counts{};
    for (const UsiCheckItem& item : items) {
        ++counts[static_cast<std::size_t>(item.verdict)];
        table.add({item.name, word(item.verdict), item.detail});
    }
    return fmt::format("{}\n{}{} good, {} warnings, {} failures\n", engine.empty() ? "(no name)" : engine,
                       table.to_text(), counts[0], counts[1], counts[2]);
}

nlohmann::ordered_json UsiCheckReport::to_json() const {
    nlohmann::ordered_json json;
    json["engine"] = engine;
    json["passed"] = passed();
    for (const UsiCheckItem& item : items)
        json["checks"].push_back({{"name", item.name}, {"result", word(item.verdict)}, {"detail", item.detail}});
    return json;
}

}  // namespace tsumugi::arena
