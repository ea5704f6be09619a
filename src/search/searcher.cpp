// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/searcher.inl"

namespace tsumugi::search {

template class BasicSearcher<shogi::Position>;

}  // namespace tsumugi::search
