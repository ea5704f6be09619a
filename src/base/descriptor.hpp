// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace tsumugi::base {

// An Error that ends with the system's words for errno. Call before anything can change errno.
Error system_error(const std::string& what);

// Owns a file descriptor.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            close();
            number_ = std::exchange(other.number_, -1);
        }
        return *this;
    }
    ~Descriptor() { close(); }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool open() const { return number_ >= 0; }
    void close();

private:
    int number_ = -1;
};

// Writes everything to a blocking descriptor, however many calls that takes; errno tells why it could not.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes);

}  // namespace tsumugi::base
