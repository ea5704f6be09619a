// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/opening_book.hpp"

#include <fstream>
#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "record/sfen.hpp"
#include "support/data.hpp"
#include "support/notebook.hpp"
#include "support/position.hpp"
#include "support/temp_folder.hpp"

namespace tsumugi::engine {
namespace {

using test::Notebook;
using testing::Contains;
using testing::HasSubstr;

class BookOfAnEngine : public testing::Test {
protected:
    BookOfAnEngine() {
        set("USI_Hash", "4");
        set("BookDir", folder.path().string());
        set("BookSeed", "1");
        write("book.db", test::read_file(test::own_data("book/sample.db")));
    }
    void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
    void set(const std::string& name, const std::string& value) {
        const auto result = engine.options().set(name, value);
        if (!result) throw std::runtime_error(result.error().message);
    }
    void prepare() {
        if (const auto ready = engine.prepare(); !ready) throw std::runtime_error(ready.error().message);
    }
    std::string play(const shogi::Position& position = shogi::Position::even()) {
        think::Limits limits;
        limits.nodes = 500;
        notebook = {};
        const auto answer = engine.think(position, limits, notebook, {});
        EXPECT_TRUE(position.is_legal(answer.move));
        return record::to_usi(answer.move);
    }
    [[nodiscard]] bool searched() const { return engine.outcome().nodes > 0; }

    test::TempFolder folder;
    Engine engine;
    Notebook notebook;
};

TEST_F(BookOfAnEngine, DecidesBeforeTheSearch) {
    set("BookFile", "book.db");
    prepare();
    std::set<std::string> moves;
    for (int i = 0; i < 30; ++i) {
        engine.new_game();
        moves.insert(play());
        EXPECT_FALSE(searched());
    }
    EXPECT_EQ(moves, (std::set<std::string>{"2g2f", "7g7f"})) << "5g5f is worth too little";
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("5g5f is not played")));
    EXPECT_THAT(notebook.texts, Contains(HasSubstr("is played")));
    ASSERT_GE(notebook.lines.size(), 3U);
    EXPECT_EQ(notebook.lines[0].rank, 1);
    EXPECT_EQ(notebook.lines[0].depth, 27);
    EXPECT_GE(notebook.lines[0].moves.size(), 2U);
}

TEST_F(BookOfAnEngine, RepeatsItsChoicesForASeed) {
    set("BookFile", "book.db");
    const auto games = [&](const char* seed) {
        set("BookSeed", seed);
        OpeningBook book;
        EXPECT_TRUE(book.prepare(engine.options()).ok());
        std::string moves;
        for (int game = 0; game < 20; ++game) {
            const auto result =
                book.ask(shogi::Position::even(), {}, engine.options(), static_cast<std::uint64_t>(game));
            moves += record::to_usi(result.candidates[*result.chosen].stored.move);
        }
        return moves;
    };
    EXPECT_EQ(games("5"), games("5"));
    EXPECT_NE(games("5"), games("6"));
}

TEST_F(BookOfAnEngine, IsLeftWhenItIsOffOrEnds) {
    set("BookFile", "book.db");
    prepare();
    play(test::position("lnsgkgsnl/1r5b1/ppppppppp/9/9/8P/PPPPPPPP1/1B5R1/LNSGKGSNL w - 2"));
    EXPECT_TRUE(searched());
    set("USI_OwnBook", "false");
    prepare();
    play();
    EXPECT_TRUE(searched());
    set("USI_OwnBook", "true");
    set("BookMoves", "0");
    prepare();
    play();
    EXPECT_TRUE(searched());
}

// Does something at the first line of thought, however long a busy machine takes to come to it.
struct FirstLine : Notebook {
    explicit FirstLine(std::function<void()> what) : act(std::move(what)) {}
    void on_line(const think::Line& line) override {
        Notebook::on_line(line);
        if (lines.size() == 1) act();
    }
    std::function<void()> act;
};

TEST_F(BookOfAnEngine, DoesNotCutAnalysisShort) {
    set("BookFile", "book.db");
    prepare();
    think::Limits limits;
    limits.infinite = true;
    std::stop_source stop;
    FirstLine observer([&] { stop.request_stop(); });
    engine.think(shogi::Position::even(), limits, observer, stop.get_token());
    EXPECT_TRUE(searched());
}

TEST_F(BookOfAnEngine, IsPlayedAfterPonderingAndTheSearchRunsMeanwhile) {
    set("BookFile", "book.db");
    prepare();
    think::Limits limits;
    limits.ponder = true;
    limits.ponder_signal = std::make_shared<think::PonderSignal>();
    FirstLine observer([&] { limits.ponder_signal->hit(std::nullopt); });
    const auto answer = engine.think(shogi::Position::even(), limits, observer, {});
    EXPECT_THAT(record::to_usi(answer.move), testing::AnyOf("2g2f", "7g7f"));
    EXPECT_FALSE(answer.ponder.is_none());
    EXPECT_GT(observer.lines.front().nodes, 0U) << "the first line is the search's, not the book's";
}

TEST_F(BookOfAnEngine, GivesWayToADeeperSearchWhenAskedTo) {
    // A book that does not say how deep it looked.
    const auto position = test::position("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
    for (const bool prefer : {false, true}) {
        set("BookFile", "book.db");
        set("BookPreferDeeperSearch", prefer ? "true" : "false");
        prepare();
        think::Limits limits;
        limits.ponder = true;
        limits.ponder_signal = std::make_shared<think::PonderSignal>();
        FirstLine observer([&] { limits.ponder_signal->hit(std::nullopt); });
        const auto answer = engine.think(position, limits, observer, {});
        EXPECT_TRUE(position.is_legal(answer.move));
        EXPECT_EQ(searched(), prefer);
        if (prefer) {
            EXPECT_THAT(observer.texts, Contains(HasSubstr("the search decides")));
        }
    }
}

TEST_F(BookOfAnEngine, ComesFromSeveralFilesInOrder) {
    const std::string position = "sfen " + std::string(record::even_sfen) + "\n";
    write("first.db", position + "1g1f none 50 30 1\n");
    write("book-000.db", position + "9g9f none 50 30 1\n");
    set("BookFile", "first.db,book.db");
    prepare();
    EXPECT_EQ(play(), "1g1f");
    set("BookFile", "book.db");
    prepare();
    EXPECT_EQ(play(), "9g9f") << "numbered files come before the one they belong to";
    set("BookFile", "no_book");
    prepare();
    play();
    EXPECT_TRUE(searched());
}

TEST_F(BookOfAnEngine, IsReadAgainWhenTheFileChanges) {
    const std::string position = "sfen " + std::string(record::even_sfen) + "\n";
    write("book.db", position + "1g1f none 50 30 1\n");
    set("BookFile", "book.db");
    prepare();
    EXPECT_EQ(play(), "1g1f");
    std::filesystem::remove(folder / "book.db");
    write("book.db", position + "9g9f none 50 30 1\n");
    std::filesystem::last_write_time(folder / "book.db",
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
    prepare();
    EXPECT_EQ(play(), "9g9f");
}

TEST_F(BookOfAnEngine, MayBeMissingOnlyIfNobodyAskedForIt) {
    EXPECT_TRUE(engine.prepare().ok()) << "there is no user_book1.db";
    set("BookFile", "missing.db");
    EXPECT_THAT(engine.prepare().error().message, HasSubstr("missing.db"));
    write("broken.ybb", "nonsense");
    set("BookFile", "broken.ybb");
    EXPECT_THAT(engine.prepare().error().message, HasSubstr("broken.ybb"));
    play();
    EXPECT_TRUE(searched()) << "and the engine plays on without it";
}

TEST_F(BookOfAnEngine, FollowsTheCommonLimitsUnlessAColourHasItsOwn) {
    set("BookEvalDiff", "70");
    set("BookEvalWhiteDiff", "5");
    set("BookDepthBlackLimit", "3");
    const auto settings = probe_settings(engine.options());
    EXPECT_EQ(settings.value_diff, (std::array{70, 5}));
    EXPECT_EQ(settings.depth_limit, (std::array{3, 16}));
    EXPECT_EQ(settings.value_limit, (std::array{0, -140}));
}

TEST(BookOptions, AreAcceptableToEveryGui) {
    think::OptionSet options;
    declare_book_options(options);
    for (const think::Option& option : options.all()) {
        EXPECT_EQ(option.name.find(' '), std::string::npos) << option.name;
        EXPECT_EQ(option.initial.find(' '), std::string::npos) << option.name;
        EXPECT_FALSE(option.help.empty()) << option.name;
    }
}

}  // namespace
}  // namespace tsumugi::engine
