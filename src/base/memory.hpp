// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/result.hpp"
#include "base/thread.hpp"

namespace tsumugi::base {

// One cache line; also enough for any vector register.
constexpr std::size_t cache_line = 64;
// Pages of this size make random access to big tables cheaper by saving address translations.
constexpr std::size_t huge_page = std::size_t{2} << 20;

// Fills with zeros from several threads: touching fresh memory is what takes the time, and a page
// lands near the thread that touches it first.
inline void zero(std::span<std::byte> bytes, int workers) {
    static constexpr std::size_t chunk = std::size_t{16} << 20;
    parallel_for((bytes.size() + chunk - 1) / chunk, workers, [bytes](std::size_t i, int) {
        const auto part = bytes.subspan(i * chunk, std::min(chunk, bytes.size() - i * chunk));
        std::memset(part.data(), 0, part.size());
    });
}

// A fixed number of zeroed elements on a boundary of at least a cache line.
template <typename T, std::size_t Alignment = std::max(cache_line, alignof(T))>
requires(std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>) class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(std::size_t size) : data_(allocate(size)), size_(size) {}
    AlignedArray(AlignedArray&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
    AlignedArray& operator=(AlignedArray&& other) noexcept {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }

    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] const T* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] std::span<T> view() { return {data(), size_}; }
    [[nodiscard]] std::span<const T> view() const { return {data(), size_}; }

private:
    struct Free {
        void operator()(T* pointer) const { ::operator delete[](pointer, std::align_val_t(Alignment)); }
    };
    using Owner = std::unique_ptr<T[], Free>;

    static Owner allocate(std::size_t size) {
        if (size > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        void* memory = ::operator new[](size * sizeof(T), std::align_val_t(Alignment));
        std::memset(memory, 0, size * sizeof(T));
        return Owner(static_cast<T*>(memory));
    }

    Owner data_;
    std::size_t size_ = 0;
};

// Memory straight from the system on huge pages where it grants them; zeroed.
class HugeMemory {
public:
    // An Error instead of std::bad_alloc, because a user asks for table sizes the machine may not have.
    static Result<HugeMemory> allocate(std::size_t bytes);

    HugeMemory() = default;
    HugeMemory(HugeMemory&& other) noexcept
        : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    HugeMemory& operator=(HugeMemory&& other) noexcept {
        std::swap(address_, other.address_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~HugeMemory();

    [[nodiscard]] std::span<std::byte> bytes() const { return {static_cast<std::byte*>(address_), size_}; }

private:
    HugeMemory(void* address, std::size_t size) : address_(address), size_(size) {}

    void* address_ = nullptr;
    std::size_t size_ = 0;
};

// The same seen as elements.
template <typename T>
requires(std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>) class HugeArray {
public:
    static Result<HugeArray> allocate(std::size_t size) {
        if (size > static_cast<std::size_t>(-1) / sizeof(T))
            return Error{Error::Code::limit, "more memory asked for than can be addressed"};
        Result<HugeMemory> memory = HugeMemory::allocate(size * sizeof(T));
        if (!memory) return memory.error();
        return HugeArray(std::move(*memory), size);
    }
    HugeArray() = default;

    [[nodiscard]] T* data() { return reinterpret_cast<T*>(memory_.bytes().data()); }
    [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(memory_.bytes().data()); }
    [[nodiscard]] std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    [[nodiscard]] std::span<T> view() { return {data(), size_}; }
    [[nodiscard]] std::span<const T> view() const { return {data(), size_}; }

    void clear(int workers) { zero(std::as_writable_bytes(view()), workers); }

private:
    HugeArray(HugeMemory memory, std::size_t size) : memory_(std::move(memory)), size_(size) {}

    HugeMemory memory_;
    std::size_t size_ = 0;
};

// One large object on huge pages. Throws std::bad_alloc like `new`, since nobody chose its size.
template <typename T>
requires(std::is_trivially_destructible_v<T>) class HugeBox {
public:
    HugeBox() : memory_(room()), object_(new (memory_.bytes().data()) T()) {}

    T& operator*() const { return *object_; }
    T* operator->() const { return object_; }

private:
    static_assert(alignof(T) <= huge_page);

    static HugeMemory room() {
        Result<HugeMemory> memory = HugeMemory::allocate(sizeof(T));
        if (!memory) throw std::bad_alloc();
        return std::move(*memory);
    }

    HugeMemory memory_;
    T* object_;
};

}  // namespace tsumugi::base
