// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "base/thread.hpp"

namespace tsumugi::base {
namespace {

using testing::HasSubstr;

// A display whose clock is moved by hand and whose text is kept.
class FakeOutput {
public:
    ProgressOutput output(bool terminal, Clock::duration interval = std::chrono::seconds(10)) {
        ProgressOutput result;
        result.write = [this](std::string_view text) { text_ += text; };
        result.now = [this] { return now_; };
        result.terminal = terminal;
        result.columns = [this] { return columns; };
        result.interval = interval;
        return result;
    }
    void wait(int seconds) { now_ += std::chrono::seconds(seconds); }
    [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

    int columns = 200;

private:
    Clock::time_point now_ = Clock::now();
    std::string text_;
};

TEST(Progress, WritesAPlainLinePerIntervalWhenThereIsNoTerminal) {
    FakeOutput fake;
    {
        Progress progress("games", 1000, 0, fake.output(false));
        fake.wait(9);
        progress.add(90);
        EXPECT_EQ(fake.take(), "");
        fake.wait(1);
        progress.add(10);
        EXPECT_EQ(fake.take(), "games 10% 100/1.00k, 10/s, 1:30 left\n");
        fake.wait(5);
        progress.add(50);
        EXPECT_EQ(fake.take(), "");
        fake.wait(5);
        progress.note("loss 0.5");
        progress.add(850);
        EXPECT_THAT(fake.take(), HasSubstr("games 100% 1.00k/1.00k"));
    }
    EXPECT_EQ(fake.take(), "games 100% 1.00k/1.00k, 50/s, took 20.0s, loss 0.5\n");
}

TEST(Progress, RedrawsOneLineOnATerminalAndEndsIt) {
    FakeOutput fake;
    Progress progress("perft", 4, 0, fake.output(true, std::chrono::milliseconds(100)));
    fake.wait(1);
    progress.add(1);
    EXPECT_EQ(fake.take(), "\r\x1b[Kperft [#####...............] 25% 1/4, 1/s, 3.0s left");
    progress.print("remark");
    EXPECT_THAT(fake.take(), testing::StartsWith("\r\x1b[Kremark\n\r\x1b[Kperft"));
    progress.add(3);
    progress.finish();
    EXPECT_THAT(fake.take(), testing::EndsWith("100% 4/4, 4/s, took 1.0s\n"));
    progress.finish();
    progress.add(1);
    EXPECT_EQ(fake.take(), "");
}

TEST(Progress, NeverWrapsOnANarrowTerminal) {
    FakeOutput fake;
    fake.columns = 30;
    Progress progress("a rather long description of work", 4, 0, fake.output(true, std::chrono::milliseconds(100)));
    fake.wait(1);
    progress.add(1);
    EXPECT_LT(fake.take().size() - std::string_view("\r\x1b[K").size(), 30U);
}

TEST(Progress, ShowsCountAndTimeWhenTheTotalIsUnknown) {
    FakeOutput fake;
    Progress progress("positions", std::nullopt, 0, fake.output(false));
    fake.wait(10);
    progress.add(5000);
    EXPECT_EQ(fake.take(), "positions 5.00k, 500/s, 10.0s so far\n");
}

TEST(Progress, LeavesEarlierWorkOutOfTheRate) {
    FakeOutput fake;
    Progress progress("games", 1000, 500, fake.output(false));
    fake.wait(10);
    progress.add(100);
    EXPECT_EQ(fake.take(), "games 60% 600/1.00k, 10/s, 40.0s left\n");
}

TEST(Progress, EstimatesFromTheRecentSpeed) {
    FakeOutput fake;
    Progress progress("games", 100000, 0, fake.output(false, std::chrono::seconds(1)));
    for (int i = 0; i < 50; ++i) {
        fake.wait(1);
        progress.add(10);
    }
    for (int i = 0; i < 40; ++i) {
        fake.wait(1);
        progress.add(100);
    }
    EXPECT_THAT(fake.take(), HasSubstr("4% 4.50k/100k, 100/s, 15:55 left\n"));
}

TEST(Progress, CountsEveryReportOfManyThreads) {
    FakeOutput fake;
    Progress progress("items", 40000, 0, [&fake] {
        ProgressOutput output = fake.output(false, std::chrono::microseconds(50));
        output.now = Clock::now;
        return output;
    }());
    parallel_for(4, 4, [&progress](std::size_t, int) {
        for (int i = 0; i < 10000; ++i)
            progress.add();
    });
    progress.finish();
    EXPECT_EQ(progress.done(), 40000U);
    const std::string text = fake.take();
    const auto lines = split_lines(text);
    ASSERT_FALSE(lines.empty());
    for (const auto line : lines)
        EXPECT_TRUE(line.starts_with("items ")) << line;
    EXPECT_THAT(std::string(lines.back()), HasSubstr("100% 40.0k/40.0k"));
}

TEST(Progress, WithNothingToDoIsFinished) {
    FakeOutput fake;
    { const Progress progress("nothing", 0, 0, fake.output(false)); }
    EXPECT_EQ(fake.take(), "nothing 100% 0/0, 0/s, took 0.0ms\n");
}

}  // namespace
}  // namespace tsumugi::base
