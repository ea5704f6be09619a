// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"
#include "cluster/link.hpp"
#include "cluster/offer.hpp"

namespace tsumugi::cluster {

// A program that may be started for others, by its name and not otherwise.
struct Program {
    std::string name;
    base::Command command;
    int sessions = 1;  // at once
};

// Starts programs for whoever asks, and carries their lines. A program ends with its session: when the client closes
// it, or is not heard any more.
class SessionHost {
public:
    // What a program gets of a client's line. Nothing: it does not hear it. An error ends the session.
    using Filter = std::function<base::Result<std::optional<std::string>>(std::string_view line)>;

    static base::Result<std::unique_ptr<SessionHost>> open(std::shared_ptr<Connection> connection,
                                                           const std::string& agent, std::vector<Program> programs,
                                                           Filter filter, const Link::Settings& settings);
    ~SessionHost();
    SessionHost(const SessionHost&) = delete;
    SessionHost& operator=(const SessionHost&) = delete;

    // Programs with their sessions in use.
    [[nodiscard]] std::vector<EngineOffer> offers();

private:
    class Session;

    SessionHost(std::shared_ptr<Connection> connection, std::vector<Program> programs, Filter filter,
                const Link::Settings& settings);
    void answer(natsMsg& request);
    base::Result<void> begin(std::string_view request);
    [[nodiscard]] int busy(const std::string& program);

    const std::shared_ptr<Connection> connection_;
    const std::vector<Program> programs_;
    const Filter filter_;
    const Link::Settings settings_;
    std::mutex mutex_;
    std::list<std::unique_ptr<Session>> sessions_;
    std::unique_ptr<Subscription> subscription_;
};

// Asks an agent to start a program, and returns the way to it.
base::Result<std::unique_ptr<Link>> open_session(const std::shared_ptr<Connection>& connection,
                                                 const std::string& agent, const std::string& program,
                                                 const Link::Settings& settings);

}  // namespace tsumugi::cluster
