// SPDX-License-Identifier: GPL-3.0-or-later
#include "think/option.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tsumugi::think {
namespace {

OptionSet example() {
    OptionSet options;
    options.add_spin("Threads", 1, 1, 64, "");
    options.add_check("USI_Ponder", false, "");
    options.add_combo("Rule", "CSARule27", {"NoEnteringKing", "CSARule27"}, "");
    options.add_string("EvalDir", "eval", "");
    options.add_filename("EvalFile", "", "");
    return options;
}

TEST(OptionSet, KeepsTheOrderOfDeclarationAndStartsAtTheInitialValues) {
    const OptionSet options = example();
    ASSERT_EQ(options.all().size(), 5U);
    EXPECT_EQ(options.all()[0].name, "Threads");
    EXPECT_EQ(options.all()[4].name, "EvalFile");
    EXPECT_EQ(options.spin("Threads"), 1);
    EXPECT_FALSE(options.check("USI_Ponder"));
    EXPECT_EQ(options.text("Rule"), "CSARule27");
    EXPECT_EQ(options.text("EvalDir"), "eval");
}

TEST(OptionSet, FindsNamesAndChoicesWithoutRegardToCase) {
    OptionSet options = example();
    EXPECT_TRUE(options.set("threads", "4").ok());
    EXPECT_TRUE(options.set("rule", "noenteringking").ok());
    EXPECT_TRUE(options.set("USI_PONDER", "True").ok());
    EXPECT_EQ(options.spin("Threads"), 4);
    EXPECT_EQ(options.text("Rule"), "NoEnteringKing");
    EXPECT_TRUE(options.check("USI_Ponder"));
}

TEST(OptionSet, RefusesWhatIsOutOfRangeAndSaysWhatItAccepts) {
    OptionSet options = example();
    for (const auto* value : {"0", "65", "99999999999999999999", "many", "", "4x", "1.5"}) {
        const auto result = options.set("Threads", value);
        ASSERT_FALSE(result.ok()) << value;
        EXPECT_THAT(result.error().message, testing::HasSubstr("1 to 64"));
    }
    EXPECT_THAT(options.set("USI_Ponder", "yes").error().message, testing::HasSubstr("true or false"));
    EXPECT_THAT(options.set("Rule", "x").error().message, testing::HasSubstr("NoEnteringKing, CSARule27"));
    EXPECT_THAT(options.set("Nothing", "1").error().message, testing::HasSubstr("'Nothing'"));
    EXPECT_EQ(options.spin("Threads"), 1) << "a refused value changes nothing";
}

TEST(OptionSet, TakesEmptyTextInUsiSpelling) {
    OptionSet options = example();
    EXPECT_TRUE(options.set("EvalDir", "<empty>").ok());
    EXPECT_EQ(options.text("EvalDir"), "");
    EXPECT_TRUE(options.set("EvalDir", "a folder with spaces").ok());
    EXPECT_EQ(options.text("EvalDir"), "a folder with spaces");
}

TEST(OptionSet, PressesButtons) {
    OptionSet options;
    int presses = 0;
    options.add_button(
        "Clear_Hash", [&] { ++presses; }, "");
    EXPECT_TRUE(options.set("clear_hash", "").ok());
    EXPECT_TRUE(options.set("Clear_Hash", "true").ok());
    EXPECT_EQ(presses, 2);
}

TEST(OptionSet, TreatsAskingForAnUndeclaredOptionAsAMistakeOfTheProgram) {
    EXPECT_THROW(static_cast<void>(example().spin("Nothing")), std::logic_error);
    EXPECT_THROW(static_cast<void>(example().spin("EvalDir")), std::logic_error);
}

}  // namespace
}  // namespace tsumugi::think
