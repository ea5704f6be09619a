// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cluster/broker.hpp"

namespace tsumugi::test {

// A wire to a broker that can be cut: while it is, nothing passes and nobody is told, as when a cable is pulled out.
class CuttableWire {
public:
    explicit CuttableWire(int target) : target_(target), listener_(listen_on_loopback()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { forward(stop); });
    }
    CuttableWire(const CuttableWire&) = delete;
    CuttableWire& operator=(const CuttableWire&) = delete;
    ~CuttableWire() {
        thread_.request_stop();
        thread_.join();
        ::close(listener_);
        for (const auto& pair : pairs_)
            for (const int end : pair)
                ::close(end);
    }

    void cut() { cut_ = true; }
    void mend() { cut_ = false; }
    [[nodiscard]] std::string url() const { return fmt::format("nats://127.0.0.1:{}", port_); }

private:
    int listen_on_loopback() {
        const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address = loopback(0);
        socklen_t length = sizeof(address);
        if (::bind(socket, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(socket, 16) != 0 ||
            ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0)
            throw std::runtime_error("cannot listen");
        port_ = ntohs(address.sin_port);
        return socket;
    }
    static sockaddr_in loopback(int port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        return address;
    }

    void forward(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            if (cut_) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                continue;
            }
            std::vector<pollfd> waiting{{listener_, POLLIN, 0}};
            for (const auto& pair : pairs_)
                for (const int end : pair)
                    waiting.push_back({end, POLLIN, 0});
            if (::poll(waiting.data(), waiting.size(), 5) <= 0) continue;
            for (std::size_t i = 1; i < waiting.size(); ++i)
                if (waiting[i].revents != 0) pass((i - 1) / 2, (i - 1) % 2);
            std::erase_if(pairs_, [](const auto& pair) { return pair[0] < 0; });
            if (waiting[0].revents != 0) accept_one();
        }
    }
    void accept_one() {
        const int near = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        const int far = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = loopback(target_);
        if (::connect(far, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
            pairs_.push_back({near, far});
        } else {
            ::close(near);
            ::close(far);
        }
    }
    void pass(std::size_t pair, std::size_t end) {
        auto& ends = pairs_[pair];
        if (ends[0] < 0) return;
        std::array<char, 16384> buffer{};
        const ssize_t length = ::recv(ends[end], buffer.data(), buffer.size(), 0);
        if (length > 0 &&
            ::send(ends[1 - end], buffer.data(), static_cast<std::size_t>(length), MSG_NOSIGNAL) == length)
            return;
        for (int& each : ends) {
            ::close(each);
            each = -1;
        }
    }

    int target_;
    int port_ = 0;
    int listener_;
    std::atomic<bool> cut_ = false;
    std::vector<std::array<int, 2>> pairs_;
    std::jthread thread_;
};

}  // namespace tsumugi::test
