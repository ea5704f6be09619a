// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "book/source.hpp"

namespace tsumugi::book {

// ShogiGUI's book: one Protocol Buffers message. Its states form a graph in which only some name their position; the
// others are where the moves lead. Every position that can be reached so is returned once, with the moves of all its
// states. Weights of moves become counts.
base::Result<std::vector<Entry>> parse_sbk(std::string_view bytes);

base::Result<std::unique_ptr<Source>> open_sbk_source(const std::filesystem::path& file);

// Held in memory, because the format has no order to search by.
class SbkBook : public Book {
public:
    static base::Result<std::unique_ptr<Book>> open(const std::filesystem::path& file);

    [[nodiscard]] base::Result<std::optional<Entry>> find(const shogi::Setup& position, Ply ply) const override;

private:
    explicit SbkBook(std::vector<Entry> entries);

    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace tsumugi::book
