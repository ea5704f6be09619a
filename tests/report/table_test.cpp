// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/table.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace tsumugi::report {
namespace {

Table sample() {
    Table table({"method", "speed", "bytes"});
    table.add({"ray walk", Cell(12.345, 1), 0});
    table.add({"飛車", Cell(7.0, 1), 1234567});
    table.add({"none"});
    return table;
}

TEST(Table, AlignsNumbersToTheRightAndCountsWideCharactersTwice) {
    EXPECT_EQ(sample().to_text(),
              "method    speed    bytes\n"
              "--------  -----  -------\n"
              "ray walk   12.3        0\n"
              "飛車        7.0  1234567\n"
              "none\n");
}

TEST(Table, WritesMarkdown) {
    EXPECT_EQ(sample().to_markdown(),
              "| method   | speed |   bytes |\n"
              "| -------- | ----: | ------: |\n"
              "| ray walk |  12.3 |       0 |\n"
              "| 飛車     |   7.0 | 1234567 |\n"
              "| none     |       |         |\n");
    Table table({"a|b"});
    table.add({"x|y\nz"});
    EXPECT_EQ(table.to_markdown(),
              "| a\\|b      |\n"
              "| --------- |\n"
              "| x\\|y<br>z |\n");
}

TEST(Table, QuotesCsvWhereNeededAndKeepsEveryDigit) {
    Table table({"name", "value"});
    table.add({"plain", Cell(0.1, 0)});
    table.add({"a,b", 1});
    table.add({"say \"hi\"", Cell()});
    table.add({"two\nlines", Cell(1.0 / 3, 1)});
    EXPECT_EQ(table.to_csv(),
              "name,value\n"
              "plain,0.1\n"
              "\"a,b\",1\n"
              "\"say \"\"hi\"\"\",\n"
              "\"two\nlines\",0.3333333333333333\n");
}

TEST(Table, WritesJsonObjectsWithTypedValues) {
    Table table({"name", "count", "share"});
    table.add({"x", std::uint64_t{5}, Cell(0.25)});
    table.add({"y", Cell(), Cell(std::numeric_limits<double>::infinity())});
    EXPECT_EQ(table.to_json(), nlohmann::json::parse(R"([{"name":"x","count":5,"share":0.25},
                                                         {"name":"y","count":null,"share":null}])"));
}

TEST(Table, WithoutRowsIsItsHeader) {
    const Table table({"a", "b"});
    EXPECT_EQ(table.to_text(), "a  b\n-  -\n");
    EXPECT_EQ(table.to_csv(), "a,b\n");
    EXPECT_EQ(table.to_json(), nlohmann::json::array());
}

}  // namespace
}  // namespace tsumugi::report
