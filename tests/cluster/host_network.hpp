// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/process.hpp"

namespace tsumugi::test {

// Hosts of a network inside this machine: namespaces, each with a cable to a common switch. The network of the machine
// itself is not touched.
class HostNetwork {
public:
    explicit HostNetwork(int hosts) : hosts_(hosts) { exists_ = build(); }
    ~HostNetwork() {
        for (int host = 0; host < hosts_; ++host)
            run({"netns", "delete", name(host)});
        run({"netns", "delete", hub()});
    }
    HostNetwork(const HostNetwork&) = delete;
    HostNetwork& operator=(const HostNetwork&) = delete;

    // Not every user may make one.
    [[nodiscard]] bool exists() const { return exists_; }

    static std::string address(int host) { return fmt::format("10.77.0.{}", host + 1); }
    // The words before a command that run it on this host.
    [[nodiscard]] std::vector<std::string> inside(int host) const { return {program(), "netns", "exec", name(host)}; }

    // Pulls the cable out of the switch, and puts it in again.
    void cut(int host) const { set_plug(host, "down"); }
    void mend(int host) const { set_plug(host, "up"); }

private:
    static std::string program() {
        for (const char* file : {"/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"})
            if (std::filesystem::exists(file)) return file;
        return {};
    }
    static bool run(std::vector<std::string> words) {
        base::Command command;
        command.words = {program()};
        command.words.insert(command.words.end(), words.begin(), words.end());
        command.errors = base::Command::Errors::discard;
        if (command.words[0].empty()) return false;
        auto process = base::Process::start(command);
        if (!process) return false;
        const auto status = process->wait(base::Deadline::after(std::chrono::seconds(10)));
        return status && status->success();
    }

    [[nodiscard]] bool build() const {
        if (!run({"netns", "add", hub()}) || !run({"-n", hub(), "link", "add", "switch", "type", "bridge"}) ||
            !run({"-n", hub(), "link", "set", "switch", "up"}))
            return false;
        for (int host = 0; host < hosts_; ++host)
            if (!add_host(host)) return false;
        return true;
    }
    [[nodiscard]] bool add_host(int host) const {
        const std::string end = plug(host);
        return run({"netns", "add", name(host)}) &&
               run({"-n", name(host), "link", "add", "cable", "type", "veth", "peer", "name", end, "netns", hub()}) &&
               run({"-n", name(host), "address", "add", address(host) + "/24", "dev", "cable"}) &&
               run({"-n", name(host), "link", "set", "cable", "up"}) &&
               run({"-n", name(host), "link", "set", "lo", "up"}) &&
               run({"-n", hub(), "link", "set", end, "master", "switch", "up"});
    }
    void set_plug(int host, const char* state) const {
        if (!run({"-n", hub(), "link", "set", plug(host), state})) throw std::runtime_error("no such cable");
    }

    [[nodiscard]] static std::string hub() { return fmt::format("tsumugi-{}-hub", ::getpid()); }
    [[nodiscard]] static std::string name(int host) { return fmt::format("tsumugi-{}-{}", ::getpid(), host); }
    [[nodiscard]] static std::string plug(int host) { return fmt::format("plug{}", host); }

    int hosts_;
    bool exists_ = false;
};

}  // namespace tsumugi::test
