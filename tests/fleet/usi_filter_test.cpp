// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/usi_filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fleet/agent_config.hpp"

namespace tsumugi::fleet {
namespace {

using testing::HasSubstr;

const NetFiles& nets() {
    static const NetFiles files{{"abc", "/nets/a.nnue"}};
    return files;
}

TEST(UsiFilter, PassesTheWordsOfUsiAndNothingElse) {
    for (const char* line : {"usi", "isready", "position startpos moves 7g7f", "go ponder byoyomi 1000", "stop",
                             "ponderhit", "gameover win", "quit", "setoption name USI_Hash value 64"}) {
        const auto passed = filter_usi(line, nets());
        ASSERT_TRUE(passed.ok()) << line;
        EXPECT_EQ(*passed, line);
    }
    for (const char* line : {"bench", "perft 5", "", "  ", "eval", "setoption nonsense"}) {
        const auto passed = filter_usi(line, nets());
        ASSERT_TRUE(passed.ok()) << line;
        EXPECT_FALSE(passed->has_value()) << line;
    }
}

TEST(UsiFilter, NamesNetsByTheirContentsAndKeepsOtherFilesAway) {
    EXPECT_EQ(*filter_usi("setoption name EvalFile value sha256:abc", nets()),
              "setoption name EvalFile value /nets/a.nnue");
    const auto unknown = filter_usi("setoption name EvalFile value sha256:def", nets());
    ASSERT_FALSE(unknown.ok());
    EXPECT_THAT(unknown.error().message, HasSubstr("there is no net sha256:def here"));
    for (const char* line : {"setoption name EvalFile value /etc/passwd", "setoption name BookFile value ../secret.db"})
        EXPECT_FALSE(filter_usi(line, nets()).ok()) << line;
}

TEST(AgentConfig, ReadsWhatAHostGives) {
    const auto config = AgentConfig::parse(R"(
        name = "big-host"
        cores = 16
        memory = 32000
        workers = 8
        nets = ["a.nnue"]
        [cluster]
        servers = ["nats://10.0.0.1:4222"]
        [[engine]]
        name = "own"
        sessions = 4
        [[engine]]
        name = "other"
        command = "/opt/other/run --fast"
        folder = "other"
    )",
                                           "/etc/tsumugi");
    ASSERT_TRUE(config.ok()) << config.error().message;
    EXPECT_EQ(config->name, "big-host");
    EXPECT_EQ(config->workers, 8);
    EXPECT_EQ(config->memory_mib, 32000U);
    ASSERT_EQ(config->engines.size(), 2U);
    EXPECT_TRUE(config->engines[0].command.empty());
    EXPECT_EQ(config->engines[0].sessions, 4);
    EXPECT_EQ(config->engines[1].command, (std::vector<std::string>{"/opt/other/run", "--fast"}));
    EXPECT_EQ(config->engines[1].folder, "/etc/tsumugi/other");
    EXPECT_EQ(config->nets, (std::vector<std::filesystem::path>{"/etc/tsumugi/a.nnue"}));
    EXPECT_EQ(config->cluster.servers, (std::vector<std::string>{"nats://10.0.0.1:4222"}));
}

TEST(AgentConfig, NamesWhatIsWrong) {
    for (const auto& [text, complaint] :
         std::vector<std::pair<std::string, std::string>>{{"name = \"a b\"", "letters, digits"},
                                                          {"worker = 1", "unknown setting 'worker'"},
                                                          {"engine = 1", "written as [[engine]]"},
                                                          {"[[engine]]\nname = \"x y\"", "letters, digits"},
                                                          {"nets = \"a\"", "nets is a list"},
                                                          {"cluster = 1", "cluster is a table"},
                                                          {"name = ", "line 1"}}) {
        const auto config = AgentConfig::parse(text, {});
        ASSERT_FALSE(config.ok()) << text;
        EXPECT_THAT(config.error().message, HasSubstr(complaint)) << text;
    }
}

}  // namespace
}  // namespace tsumugi::fleet
