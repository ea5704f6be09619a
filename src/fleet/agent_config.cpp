// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet/agent_config.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/thread.hpp"
#include "base/toml_entries.hpp"
#include "cluster/connection_file.hpp"

namespace tsumugi::fleet {
namespace {

using base::Error;
using base::Result;
using base::TomlEntries;

std::string host_name() {
    std::array<char, 256> buffer{};
    if (::gethostname(buffer.data(), buffer.size() - 1) != 0) return "host";
    std::string name = buffer.data();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !cluster::is_token(std::string_view(&c, 1)); }, '-');
    return name.empty() ? "host" : name;
}

std::uint64_t memory_mib() {
    const auto pages = ::sysconf(_SC_PHYS_PAGES);
    const auto size = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) return 0;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / (1U << 20U);
}

Result<OfferedEngine> read_engine(const toml::table& table, const std::filesystem::path& folder) {
    TomlEntries entries(table);
    OfferedEngine engine;
    std::string place;
    std::string command = "self";
    entries.read("name", engine.name);
    entries.read("command", command);
    entries.read("folder", place);
    entries.read("sessions", engine.sessions, 1, 1000);
    if (entries.mistake()) return *entries.mistake();
    if (!cluster::is_token(engine.name))
        return Error{Error::Code::syntax,
                     fmt::format("an engine is named by letters, digits, '-' and '_', not '{}'", engine.name)};
    if (command != "self")
        for (const std::string_view word : base::split_words(command))
            engine.command.emplace_back(word);
    if (!place.empty()) engine.folder = folder / place;
    return engine;
}

Result<void> read_lists(const toml::node* engines, const toml::node* nets, const std::filesystem::path& folder,
                        AgentConfig& config) {
    if (engines != nullptr && !engines->is_array_of_tables())
        return Error{Error::Code::syntax, "engines are written as [[engine]]"};
    if (engines != nullptr)
        for (const toml::node& each : *engines->as_array()) {
            auto engine = read_engine(*each.as_table(), folder);
            if (!engine) return engine.error();
            config.engines.push_back(*std::move(engine));
        }
    if (nets == nullptr) return {};
    const toml::array* files = nets->as_array();
    if (files == nullptr || !(files->empty() || files->is_homogeneous<std::string>()))
        return Error{Error::Code::syntax, "nets is a list of files"};
    for (const toml::node& each : *files)
        config.nets.push_back(folder / each.value_or(std::string()));
    return {};
}

Result<cluster::ConnectionSettings> read_brokers(const toml::node* node, const std::filesystem::path& folder) {
    if (node == nullptr) return cluster::ConnectionSettings{};
    if (!node->is_table()) return Error{Error::Code::syntax, "cluster is a table, written as [cluster]"};
    return cluster::read_connection(*node->as_table(), folder);
}

Result<AgentConfig> read(const toml::table& root, const std::filesystem::path& folder) {
    TomlEntries entries(root);
    AgentConfig config;
    config.name = host_name();
    config.cores = base::available_cores();
    config.memory_mib = memory_mib();
    auto memory = static_cast<std::int64_t>(config.memory_mib);
    std::int64_t lease = config.lease.count();
    entries.read("name", config.name);
    entries.read("cores", config.cores, 1, 100'000);
    entries.read("memory", memory, std::int64_t{0}, std::int64_t{1} << 40);
    entries.read("workers", config.workers, 0, 10'000);
    entries.read("lease", lease, std::int64_t{100}, std::int64_t{86'400'000});
    const toml::node* engines = entries.find("engine");
    const toml::node* nets = entries.find("nets");
    const toml::node* brokers = entries.find("cluster");
    if (entries.mistake()) return *entries.mistake();
    config.memory_mib = static_cast<std::uint64_t>(memory);
    config.lease = std::chrono::milliseconds(lease);
    if (!cluster::is_token(config.name))
        return Error{Error::Code::syntax,
                     fmt::format("an agent is named by letters, digits, '-' and '_', not '{}'", config.name)};
    if (const auto done = read_lists(engines, nets, folder, config); !done) return done.error();
    auto settings = read_brokers(brokers, folder);
    if (!settings) return settings.error();
    config.cluster = *std::move(settings);
    return config;
}

}  // namespace

Result<AgentConfig> AgentConfig::parse(std::string_view text, const std::filesystem::path& folder) {
    return base::read_toml(text, [&](const toml::table& root) { return read(root, folder); });
}

Result<AgentConfig> AgentConfig::load(const std::filesystem::path& file) {
    const auto text = base::read_file(file);
    if (!text) return text.error();
    auto config = parse(*text, file.parent_path());
    if (!config) return config.error().in(file.string());
    return config;
}

Result<cluster::ConnectionSettings> load_connection(const std::filesystem::path& file) {
    if (file.empty()) return cluster::ConnectionSettings{};
    const auto text = base::read_file(file);
    if (!text) return text.error();
    auto settings = base::read_toml(
        *text, [&](const toml::table& root) { return read_brokers(root.get("cluster"), file.parent_path()); });
    if (!settings) return settings.error().in(file.string());
    return settings;
}

}  // namespace tsumugi::fleet
