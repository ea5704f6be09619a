// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "book/source.hpp"

namespace tsumugi::book {

// The book that is part of the program (books/default.ybb); nothing when it was built without one.
std::unique_ptr<Book> built_in_book();

}  // namespace tsumugi::book
