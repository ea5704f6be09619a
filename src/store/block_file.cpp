// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/block_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/hash.hpp"

namespace tsumugi::store {

namespace {

using base::Error;
using base::Result;

Result<std::uint64_t> file_size(const base::Descriptor& file, const std::string& name) {
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return base::system_error("cannot read the size of " + name);
    if (!S_ISREG(status.st_mode)) return Error{Error::Code::io, name + " is not a regular file"};
    return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

void BlockWriter::FreeCompressor::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }
void BlockReader::FreeDecompressor::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

BlockWriter::BlockWriter(std::filesystem::path path, base::Descriptor file, const Options& options)
    : path_(std::move(path)), file_(std::move(file)), options_(options), compressor_(ZSTD_createCCtx()) {
    if (!compressor_) throw std::bad_alloc();
}

BlockWriter::~BlockWriter() {
    if (file_.open()) std::ignore = sync();
}

Result<BlockWriter> BlockWriter::open(const std::filesystem::path& path, std::string_view kind,
                                      const Options& options) {
    if (kind.empty() || kind.size() > longest_kind)
        return Error{Error::Code::range, fmt::format("the kind of a block file has 1 to {} bytes", longest_kind)};
    if (options.level < 1 || options.level > 19 || options.sync_every == 0)
        return Error{Error::Code::range, "block files need a level from 1 to 19 and a sync after 1 or more blocks"};
    base::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file.open()) return base::system_error("cannot open " + path.string());
    if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0)
        return base::system_error("cannot lock " + path.string() + " (is another writer using it?)");
    BlockWriter writer(path, std::move(file), options);
    if (const auto ready = writer.prepare(kind); !ready) return ready.error().in(path.string());
    return writer;
}

Result<void> BlockWriter::prepare(std::string_view kind) {
    const auto size = file_size(file_, path_.string());
    if (!size) return size.error();
    size_ = *size;
    BlockScanner scanner(file_.number(), path_.string());
    const auto bytes = scanner.read(0, file_header_size);
    if (!bytes) return bytes.error();

    // A file that is a mere beginning of the header is one whose creation was interrupted.
    const FileHeader expected = encode_file_header(kind);
    const std::string_view wanted(expected.data(), expected.size());
    if (bytes->size() < file_header_size && wanted.starts_with(*bytes)) return start_file(kind);
    FileHeader header{};
    std::copy(bytes->begin(), bytes->end(), header.begin());
    if (const auto ours = check_file_header(header, kind); !ours) return ours;
    return recover();
}

Result<void> BlockWriter::start_file(std::string_view kind) {
    if (const auto emptied = cut(0); !emptied) return emptied;
    const FileHeader header = encode_file_header(kind);
    if (!base::write_all(file_.number(), {header.data(), header.size()}) || ::fsync(file_.number()) != 0)
        return base::system_error("cannot write the header");
    size_ = file_header_size;
    const auto folder = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
    return base::sync_folder(folder);
}

// Walks over the headers, which is fast because payloads are not read, then goes back from the end to the last block
// whose payload is whole, and cuts what follows. Damage with a valid block after it is left to the reader to report.
Result<void> BlockWriter::recover() {
    BlockScanner scanner(file_.number(), path_.string());
    std::vector<std::uint64_t> offsets;
    std::uint64_t at = file_header_size;
    for (;;) {
        const auto header = scanner.header_at(at);
        if (!header) return header.error();
        if (*header && at + (*header)->total_size() <= size_) {
            offsets.push_back(at);
            at += (*header)->total_size();
            continue;
        }
        const auto found = scanner.find_header(at + 1);
        if (!found) return found.error();
        if (!*found) break;
        at = **found;
    }

    std::uint64_t end = file_header_size;
    while (!offsets.empty()) {
        const auto header = scanner.header_at(offsets.back());
        if (!header) return header.error();
        const auto payload = scanner.payload_at(offsets.back(), **header);
        if (!payload) return payload.error();
        if (*payload) {
            end = offsets.back() + (*header)->total_size();
            break;
        }
        offsets.pop_back();
    }
    // Missing bytes may have led the walk past a whole block; never cut one off.
    recovery_.blocks = offsets.size();
    for (std::uint64_t from = end;;) {
        const auto found = scanner.find_header(from);
        if (!found) return found.error();
        if (!*found) break;
        const auto header = scanner.header_at(**found);
        if (!header) return header.error();
        const auto payload = scanner.payload_at(**found, **header);
        if (!payload) return payload.error();
        from = **found + 1;
        if (!*payload) continue;
        from = end = **found + (*header)->total_size();
        ++recovery_.blocks;
    }
    recovery_.cut_bytes = size_ - end;
    return cut(end);
}

Result<void> BlockWriter::cut(std::uint64_t size) {
    if (size_ != size && (::ftruncate(file_.number(), static_cast<off_t>(size)) != 0 || ::fsync(file_.number()) != 0))
        return base::system_error("cannot cut the unfinished end");
    if (::lseek(file_.number(), static_cast<off_t>(size), SEEK_SET) < 0) return base::system_error("cannot seek");
    size_ = size;
    return {};
}

Result<std::uint64_t> BlockWriter::append(std::string_view bytes) {
    if (broken_)
        return Error{Error::Code::io, path_.string() + ": an earlier write could not be undone; open the file again"};
    if (bytes.size() > largest_block)
        return Error{Error::Code::limit, fmt::format("a block holds at most {} bytes", largest_block)};

    // Header and payload leave in one write, so that a crash of this process tears as rarely as possible.
    buffer_.resize(block_header_size + ZSTD_compressBound(bytes.size()));
    const std::size_t stored =
        ZSTD_compressCCtx(compressor_.get(), buffer_.data() + block_header_size, buffer_.size() - block_header_size,
                          bytes.data(), bytes.size(), options_.level);
    if (ZSTD_isError(stored) != 0 || stored > largest_block)
        return Error{Error::Code::limit, fmt::format("cannot compress a block: {}", ZSTD_getErrorName(stored))};
    const BlockHeader header{static_cast<std::uint32_t>(stored), static_cast<std::uint32_t>(bytes.size()),
                             base::crc32c({buffer_.data() + block_header_size, stored})};
    const auto encoded = header.encode();
    std::copy(encoded.begin(), encoded.end(), buffer_.begin());

    const std::uint64_t offset = size_;
    size_ += header.total_size();
    ++unsynced_;
    Result<void> written;
    if (!base::write_all(file_.number(), {buffer_.data(), block_header_size + stored}))
        written = base::system_error("cannot write " + path_.string());
    else if (unsynced_ >= options_.sync_every)
        written = sync();
    if (written) return offset;
    broken_ = !cut(offset).ok();
    return written.error();
}

Result<void> BlockWriter::sync() {
    if (unsynced_ == 0) return {};
    if (::fdatasync(file_.number()) != 0) return base::system_error("cannot force " + path_.string() + " to the disk");
    unsynced_ = 0;
    return {};
}

BlockReader::BlockReader(std::filesystem::path path, base::Descriptor file)
    : path_(std::move(path)),
      file_(std::move(file)),
      scanner_(file_.number(), path_.string()),
      decompressor_(ZSTD_createDCtx()) {
    if (!decompressor_) throw std::bad_alloc();
}

Result<BlockReader> BlockReader::open(const std::filesystem::path& path, std::string_view kind) {
    base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open()) return base::system_error("cannot open " + path.string());
    BlockReader reader(path, std::move(file));
    const auto bytes = reader.scanner_.read(0, file_header_size);
    if (!bytes) return bytes.error();
    FileHeader header{};
    std::copy(bytes->begin(), bytes->end(), header.begin());
    if (const auto ours = check_file_header(header, kind); !ours) return ours.error().in(path.string());
    return reader;
}

Result<bool> BlockReader::load(std::uint64_t offset, std::uint64_t& size) {
    const auto header = scanner_.header_at(offset);
    if (!header) return header.error();
    if (!*header) return false;
    const auto payload = scanner_.payload_at(offset, **header);
    if (!payload) return payload.error();
    if (!*payload) return false;
    const std::string_view stored = **payload;
    data_.resize((*header)->original_size);
    const std::size_t count =
        ZSTD_decompressDCtx(decompressor_.get(), data_.data(), data_.size(), stored.data(), stored.size());
    size = (*header)->total_size();
    return ZSTD_isError(count) == 0 && count == data_.size();
}

Result<BlockReader::Event> BlockReader::next() {
    std::uint64_t size = 0;
    const auto loaded = load(position_, size);
    if (!loaded) return loaded.error();
    if (!*loaded) return skip_damage();
    const Event event{Event::Kind::block, position_, size, data_, false};
    position_ += size;
    tail_told_ = false;
    return event;
}

Result<BlockReader::Event> BlockReader::skip_damage() {
    const auto end = file_size(file_, path_.string());
    if (!end) return end.error();
    if (position_ >= *end) return Event{Event::Kind::end, position_, 0, {}, false};
    // Not by the length in the header: bytes may be missing from the payload, with valid blocks in its place.
    const std::uint64_t begin = position_;
    for (std::uint64_t from = begin + 1;;) {
        const auto found = scanner_.find_header(from);
        if (!found) return found.error();
        // Without a valid block the damage reaches to the end; stay in front of it in case a writer completes it.
        if (!*found) {
            const bool told = std::exchange(tail_told_, true);
            if (told) return Event{Event::Kind::end, begin, 0, {}, false};
            return Event{Event::Kind::damage, begin, *end - begin, {}, true};
        }
        std::uint64_t size = 0;
        const auto loaded = load(**found, size);
        if (!loaded) return loaded.error();
        if (*loaded) {
            position_ = **found;
            return Event{Event::Kind::damage, begin, position_ - begin, {}, false};
        }
        from = **found + 1;
    }
}

Result<BlockReader::Event> BlockReader::read(std::uint64_t offset) {
    std::uint64_t size = 0;
    const auto loaded = load(offset, size);
    if (!loaded) return loaded.error();
    if (!*loaded)
        return Error{Error::Code::syntax, fmt::format("{}: no valid block at byte {}", path_.string(), offset)};
    position_ = offset + size;
    tail_told_ = false;
    return Event{Event::Kind::block, offset, size, data_, false};
}

}  // namespace tsumugi::store
