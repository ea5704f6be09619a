// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/result.hpp"
#include "store/block_format.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

// Append-only files of compressed, checksummed blocks, for data that grows for days and must survive crashes.
// What append() has reported as written stays; a crash can cost the block being written at that moment, no other.
// Damage in the middle (a bad sector) costs the blocks it touches and is reported.

namespace tsumugi::store {

class BlockWriter {
public:
    struct Options {
        int level = 3;                 // of zstd, 1 to 19
        std::uint32_t sync_every = 1;  // blocks per fsync; more is faster, and a power cut may cost that many
    };

    // What opening an existing file found.
    struct Recovery {
        std::uint64_t blocks = 0;     // blocks kept, by their headers
        std::uint64_t cut_bytes = 0;  // bytes of unfinished or damaged blocks removed from the end
    };

    // Creates the file, or continues it after cutting an unfinished end. `kind` (up to 16 bytes) says what the blocks
    // hold; a file of another kind is refused. Only one writer may have a file open.
    static base::Result<BlockWriter> open(const std::filesystem::path& path, std::string_view kind,
                                          const Options& options);
    static base::Result<BlockWriter> open(const std::filesystem::path& path, std::string_view kind) {
        return open(path, kind, Options());
    }

    BlockWriter(BlockWriter&&) = default;
    BlockWriter& operator=(BlockWriter&&) = delete;
    // Forces what is left to the disk as far as possible; call sync() to know whether it worked.
    ~BlockWriter();

    // Adds one block and returns its offset, for BlockReader::read. On an error (a full disk) the file is as before.
    base::Result<std::uint64_t> append(std::string_view bytes);
    base::Result<void> sync();

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] const Recovery& recovery() const { return recovery_; }

private:
    struct FreeCompressor {
        void operator()(ZSTD_CCtx_s* context) const;
    };

    BlockWriter(std::filesystem::path path, base::Descriptor file, const Options& options);
    base::Result<void> prepare(std::string_view kind);
    base::Result<void> start_file(std::string_view kind);
    base::Result<void> recover();
    base::Result<void> cut(std::uint64_t size);

    std::filesystem::path path_;
    base::Descriptor file_;
    Options options_;
    std::unique_ptr<ZSTD_CCtx_s, FreeCompressor> compressor_;
    std::string buffer_;
    std::uint64_t size_ = 0;
    std::uint32_t unsynced_ = 0;
    bool broken_ = false;
    Recovery recovery_;
};

class BlockReader {
public:
    struct Event {
        enum class Kind {
            block,   // `data` holds one
            damage,  // bytes that are no valid block were skipped
            end
        };
        Kind kind = Kind::end;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;  // bytes in the file
        std::string_view data;   // valid until the next call
        // Damage with nothing valid after it: the trace of a crash, or a block that a writer is adding right now.
        bool at_end = false;
    };

    static base::Result<BlockReader> open(const std::filesystem::path& path, std::string_view kind);

    // The next block or piece of damage. Holds one block in memory, however long the file is.
    base::Result<Event> next();
    // The block at an offset that append() or next() has told; next() continues after it.
    base::Result<Event> read(std::uint64_t offset);

private:
    struct FreeDecompressor {
        void operator()(ZSTD_DCtx_s* context) const;
    };

    BlockReader(std::filesystem::path path, base::Descriptor file);
    // Fills data_ if a whole valid block is there.
    base::Result<bool> load(std::uint64_t offset, std::uint64_t& size);
    base::Result<Event> skip_damage();

    std::filesystem::path path_;
    base::Descriptor file_;
    BlockScanner scanner_;
    std::unique_ptr<ZSTD_DCtx_s, FreeDecompressor> decompressor_;
    std::uint64_t position_ = file_header_size;
    bool tail_told_ = false;  // the damage at the end is reported once
    std::string data_;
};

}  // namespace tsumugi::store
