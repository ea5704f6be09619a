// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/process.hpp"
#include "cluster/connection.hpp"
#include "support/temp_folder.hpp"

// Real brokers on this machine, which tests start, kill and cut off.
namespace tsumugi::test {

// Not every user has the folder of system programs in his path.
inline std::string broker_program() {
    for (const char* file : {"/usr/sbin/nats-server", "/usr/local/bin/nats-server", "/usr/bin/nats-server"})
        if (std::filesystem::exists(file)) return file;
    return {};
}

// A port that nobody uses at this moment.
inline int free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    const bool bound = ::bind(socket, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                       ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    ::close(socket);
    if (!bound) throw std::runtime_error("no free port");
    return ntohs(address.sin_port);
}

// Where a broker listens, and the words before a command that run it there.
struct BrokerPlace {
    std::string address = "127.0.0.1";
    std::vector<std::string> inside = {};
};

// One broker with its own port and folder, which can be started again after its end.
class Broker {
public:
    // `more` are lines of its configuration.
    explicit Broker(std::string more = {}, int port = free_port(), BrokerPlace place = {})
        : port_(port), more_(std::move(more)), place_(std::move(place)) {
        start();
    }
    ~Broker() { kill(); }
    Broker(const Broker&) = delete;
    Broker& operator=(const Broker&) = delete;

    void start() {
        const auto file = folder_.path() / "broker.conf";
        std::ofstream(file) << fmt::format("listen: \"{}:{}\"\njetstream {{ store_dir: \"{}\" }}\n{}\n", place_.address,
                                           port_, (folder_.path() / "store").string(), more_);
        base::Command command;
        command.words = place_.inside;
        command.words.insert(command.words.end(), {broker_program(), "-c", file.string()});
        command.errors = base::Command::Errors::discard;
        auto process = base::Process::start(command);
        if (!process) throw std::runtime_error(process.error().message);
        process_.emplace(*std::move(process));
    }
    void kill() {
        if (process_) process_->kill();
        process_.reset();
    }
    void signal(int number) { process_->kill(number); }

    [[nodiscard]] std::string url() const { return fmt::format("nats://{}:{}", place_.address, port_); }
    [[nodiscard]] int port() const { return port_; }

    // Waits until it lets us in.
    [[nodiscard]] std::shared_ptr<cluster::Connection> connect(cluster::ConnectionSettings settings = {}) const {
        settings.servers = {url()};
        return connect_to(settings);
    }
    static std::shared_ptr<cluster::Connection> connect_to(const cluster::ConnectionSettings& settings) {
        for (int attempt = 0;; ++attempt) {
            auto connection = cluster::Connection::open(settings);
            if (connection) return *std::move(connection);
            if (attempt == 200) throw std::runtime_error(connection.error().message);
            std::this_thread::sleep_for(std::chrono::milliseconds(25));
        }
    }

private:
    TempFolder folder_;
    int port_;
    std::string more_;
    BrokerPlace place_;
    std::optional<base::Process> process_;
};

// Three brokers that keep each other's messages.
class BrokerTrio {
public:
    BrokerTrio() {
        std::vector<int> routes;
        for (int i = 0; i < 3; ++i)
            routes.push_back(free_port());
        for (std::size_t i = 0; i < 3; ++i)
            brokers_.push_back(std::make_unique<Broker>(fmt::format(
                "server_name: n{}\ncluster {{ name: trio, listen: \"127.0.0.1:{}\", routes: [\"nats://127.0.0.1:{}\", "
                "\"nats://127.0.0.1:{}\"] }}",
                i, routes[i], routes[(i + 1) % 3], routes[(i + 2) % 3])));
    }

    Broker& operator[](std::size_t i) { return *brokers_[i]; }
    [[nodiscard]] cluster::ConnectionSettings settings() const {
        cluster::ConnectionSettings settings;
        settings.replicas = 3;
        settings.servers.clear();
        for (const auto& broker : brokers_)
            settings.servers.push_back(broker->url());
        return settings;
    }

private:
    std::vector<std::unique_ptr<Broker>> brokers_;
};

}  // namespace tsumugi::test
