// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nats/nats.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"

namespace tsumugi::cluster {

// Frees an object of the NATS library.
template <auto Destroy>
struct Destroyer {
    template <typename T>
    void operator()(T* object) const {
        Destroy(object);
    }
};

using ConnectionHandle = std::unique_ptr<natsConnection, Destroyer<natsConnection_Destroy>>;
using OptionsHandle = std::unique_ptr<natsOptions, Destroyer<natsOptions_Destroy>>;
using MessageHandle = std::unique_ptr<natsMsg, Destroyer<natsMsg_Destroy>>;
using StreamContextHandle = std::unique_ptr<jsCtx, Destroyer<jsCtx_Destroy>>;
using StoreHandle = std::unique_ptr<kvStore, Destroyer<kvStore_Destroy>>;
using EntryHandle = std::unique_ptr<kvEntry, Destroyer<kvEntry_Destroy>>;

// The library's times.
constexpr std::int64_t in_nanoseconds(std::chrono::nanoseconds time) { return time.count(); }

// What a call that failed says about it, with what was tried.
inline base::Error nats_error(natsStatus status, const std::string& what) {
    natsStatus last = NATS_OK;
    const char* const detail = nats_GetLastError(&last);
    std::string message = what + ": " + natsStatus_GetText(status);
    if (detail != nullptr && *detail != '\0' && last == status) message += std::string(" (") + detail + ")";
    return {base::Error::Code::io, std::move(message)};
}

// The bytes of a message.
inline std::string payload_of(natsMsg* message) {
    const int length = natsMsg_GetDataLength(message);
    return length == 0 ? std::string() : std::string(natsMsg_GetData(message), static_cast<std::size_t>(length));
}

}  // namespace tsumugi::cluster
