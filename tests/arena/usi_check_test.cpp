// SPDX-License-Identifier: GPL-3.0-or-later
#include "arena/usi_check.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "arena/mock_engine.hpp"

namespace tsumugi::arena {
namespace {

using std::chrono::milliseconds;
using Verdict = UsiCheckItem::Verdict;

UsiCheckReport check(std::vector<std::string> mode) {
    UsiCheckSettings settings;
    settings.greeting = milliseconds(500);
    settings.loading = milliseconds(500);
    settings.answer = milliseconds(500);
    settings.byoyomi = milliseconds(200);
    settings.silence = milliseconds(100);
    return check_usi(test::mock_command(std::move(mode)), settings);
}

std::optional<Verdict> verdict(const UsiCheckReport& report, std::string_view name) {
    const auto found = std::find_if(report.items.begin(), report.items.end(),
                                    [&](const UsiCheckItem& item) { return item.name == name; });
    if (found == report.items.end()) return std::nullopt;
    return found->verdict;
}

TEST(UsiCheck, PassesAnEngineThatBehaves) {
    const UsiCheckReport report = check({"good"});
    EXPECT_TRUE(report.passed()) << report.to_text();
    EXPECT_EQ(report.engine, "Mock good");
    EXPECT_GT(report.items.size(), 15U);
    EXPECT_EQ(verdict(report, "resigns when mated"), Verdict::pass);
    EXPECT_EQ(verdict(report, "declares a win by the 27-point rule"), Verdict::warning);
    EXPECT_EQ(report.to_json()["passed"], true);
}

TEST(UsiCheck, FindsWhatIsWrong) {
    EXPECT_EQ(verdict(check({"silent"}), "answers usi with usiok"), Verdict::failure);
    EXPECT_EQ(verdict(check({"no-start"}), "answers usi with usiok"), Verdict::failure);
    EXPECT_EQ(verdict(check({"no-ready"}), "answers isready"), Verdict::failure);
    EXPECT_EQ(verdict(check({"illegal", "1"}), "moves in the start"), Verdict::failure);
    EXPECT_EQ(verdict(check({"garbage", "1"}), "moves in the start"), Verdict::failure);
    EXPECT_EQ(verdict(check({"late", "400"}), "keeps the time of byoyomi"), Verdict::failure);
    const UsiCheckReport crash = check({"crash", "3"});
    EXPECT_FALSE(crash.passed());
    EXPECT_NE(crash.to_text().find("ended"), std::string::npos) << crash.to_text();
    EXPECT_FALSE(check({"hang", "2"}).passed());
    EXPECT_FALSE(check({"flood", "2"}).passed());
}

TEST(UsiCheck, SaysWhenThereIsNoSuchProgram) {
    const UsiCheckReport report = check_usi({"/nonexistent/engine"});
    EXPECT_FALSE(report.passed());
    EXPECT_EQ(report.items.size(), 1U);
}

}  // namespace
}  // namespace tsumugi::arena
