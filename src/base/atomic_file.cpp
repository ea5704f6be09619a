// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <tuple>

#include "base/clock.hpp"

namespace tsumugi::base {

namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

std::string temporary_prefix(const fs::path& target) { return "." + target.filename().string() + "."; }
constexpr std::string_view temporary_suffix = ".tmp";

// A writer holds a lock on its temporary file for as long as it lives, so a temporary file that can be
// locked belongs to nobody.
void remove_abandoned(const fs::path& target) {
    const std::string prefix = temporary_prefix(target);
    std::error_code problem;
    for (fs::directory_iterator entry(folder_of(target), problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(temporary_suffix)) continue;
        const Descriptor file(::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (file.open() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
    }
}

struct Temporary {
    fs::path path;
    Descriptor file;
};

// Creates and locks the temporary file. Another writer's sweep may delete it before the lock is taken:
// then it has no name any more and a new one is made.
Result<Temporary> create_temporary(const fs::path& target) {
    for (;;) {
        const std::string unique =
            std::to_string(::getpid()) + "-" + std::to_string(Clock::now().time_since_epoch().count());
        fs::path path = folder_of(target) / (temporary_prefix(target) + unique + std::string(temporary_suffix));
        Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (!file.open()) {
            if (errno == EEXIST) continue;
            return system_error("cannot create a temporary file beside " + target.string());
        }
        if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) continue;
            const Error error = system_error("cannot lock " + path.string());
            ::unlink(path.c_str());
            return error;
        }
        struct stat status {};
        if (::fstat(file.number(), &status) == 0 && status.st_nlink > 0)
            return Temporary{std::move(path), std::move(file)};
    }
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const fs::path& path) {
    if (!path.has_filename()) return Error{Error::Code::io, "not the name of a file: '" + path.string() + "'"};
    // Renaming over a symbolic link would replace the link instead of the file it stands for.
    std::error_code problem;
    const fs::path target = fs::is_symlink(path, problem) ? fs::weakly_canonical(path, problem) : path;
    if (problem && problem != std::errc::no_such_file_or_directory)
        return Error{Error::Code::io, "cannot resolve " + path.string() + ": " + problem.message()};
    if (fs::is_directory(target, problem))
        return Error{Error::Code::io, "cannot write " + path.string() + ": it is a folder"};

    remove_abandoned(target);
    Result<Temporary> temporary = create_temporary(target);
    if (!temporary) return temporary.error();

    // A replaced file keeps its permissions; one that cannot be given them is still written.
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0) std::ignore = ::fchmod(temporary->file.number(), old.st_mode & 07777);
    return AtomicFile(target, std::move(temporary->path), std::move(temporary->file));
}

AtomicFile::~AtomicFile() {
    if (file_.open()) ::unlink(temporary_.c_str());
}

Result<void> AtomicFile::write(std::string_view bytes) {
    if (failed_ || !file_.open())
        return Error{Error::Code::io, "cannot write " + target_.string() + ": it is finished or failed before"};
    if (write_all(file_.number(), bytes)) return {};
    failed_ = true;
    return system_error("cannot write " + target_.string());
}

Result<void> AtomicFile::commit() {
    if (failed_ || !file_.open())
        return Error{Error::Code::io,
                     "cannot finish " + target_.string() + ": a write failed or it is finished already"};
    failed_ = true;
    if (::fsync(file_.number()) != 0) return system_error("cannot force " + target_.string() + " to the disk");
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return system_error("cannot rename to " + target_.string());
    file_.close();
    return sync_folder(folder_of(target_));
}

Result<void> write_file(const fs::path& path, std::string_view content) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    if (const Result<void> written = file->write(content); !written) return written;
    return file->commit();
}

Result<void> sync_folder(const fs::path& folder) {
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some file systems cannot sync a folder (EINVAL); they offer nothing better.
    if (!file.open() || (::fsync(file.number()) != 0 && errno != EINVAL))
        return system_error("cannot force the folder " + folder.string() + " to the disk");
    return {};
}

}  // namespace tsumugi::base
