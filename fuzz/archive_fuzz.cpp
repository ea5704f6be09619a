// SPDX-License-Identifier: GPL-3.0-or-later
#include "property.hpp"
#include "record/archive.hpp"
#include "support/temp_folder.hpp"

// A block with a good checksum and any content: the reader refuses it or gives games that can be written again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tsumugi;
    static const test::TempFolder folder(test::fast_place());
    const auto path = folder / "fuzz.tsa";
    std::filesystem::remove(path);
    {
        auto writer = store::BlockWriter::open(path, record::archive_kind);
        fuzz::require(writer.ok() && writer->append(fuzz::text_of(data, size)).ok(), "a block can be written");
    }
    auto reader = record::ArchiveReader::open(path);
    fuzz::require(reader.ok(), "an archive with a strange block can be opened");
    const auto copy = folder / "copy.tsa";
    std::filesystem::remove(copy);
    auto writer = record::ArchiveWriter::open(copy);
    record::ArchivedGame game;
    for (int games = 0; games < 64; ++games) {
        const auto more = reader->next(game);
        if (!more || !*more) break;
        fuzz::require(writer->add(game).ok(), "a game that was read can be written");
    }
    return 0;
}
