// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cluster/connection.hpp"

namespace tsumugi::cluster {

// A member of the cluster and what it says about itself.
struct Member {
    std::string name;
    std::string description;
};

// The members that are alive: every one writes its line again and again, and lines that are not renewed vanish.
class Membership {
public:
    // A member whose line is older than this is gone.
    static constexpr std::chrono::seconds lifetime{5};

    static base::Result<Membership> open(std::shared_ptr<Connection> connection);

    base::Result<void> put(const std::string& name, const std::string& description);
    base::Result<void> remove(const std::string& name);
    [[nodiscard]] base::Result<std::vector<Member>> list();

private:
    Membership(std::shared_ptr<Connection> connection, StoreHandle store)
        : connection_(std::move(connection)), store_(std::move(store)) {}
    static base::Result<StoreHandle> open_store(Connection& connection);

    std::shared_ptr<Connection> connection_;
    StoreHandle store_;
};

// Keeps a member's line alive while the object lives.
class Presence {
public:
    // `describe` is asked each time, so that a description may change.
    Presence(Membership membership, std::string name, std::function<std::string()> describe);
    ~Presence();
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;

private:
    void renew(const std::stop_token& stop);

    Membership membership_;
    const std::string name_;
    const std::function<std::string()> describe_;
    std::jthread thread_;
};

}  // namespace tsumugi::cluster
