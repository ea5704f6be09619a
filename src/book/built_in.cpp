// SPDX-License-Identifier: GPL-3.0-or-later
#include "book/built_in.hpp"

#include <stdexcept>

#include "book/format/ybb.hpp"

// Where the build has put the book (cmake/embed.cmake); both are the same address when there is none.
extern "C" const char tsumugi_default_book_begin[];
extern "C" const char tsumugi_default_book_end[];

namespace tsumugi::book {

std::unique_ptr<Book> built_in_book() {
    const std::string_view bytes(tsumugi_default_book_begin,
                                 static_cast<std::size_t>(tsumugi_default_book_end - tsumugi_default_book_begin));
    if (bytes.empty()) return nullptr;
    auto book = YbbBook::of(bytes, "built-in");
    // Not an expected failure: the tests of every build open this book.
    if (!book) throw std::logic_error("the built-in book is broken: " + book.error().message);
    return *std::move(book);
}

}  // namespace tsumugi::book
