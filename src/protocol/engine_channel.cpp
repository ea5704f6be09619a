// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/engine_channel.hpp"

#include <utility>

namespace tsumugi::protocol {
namespace {

class ProcessChannel : public EngineChannel {
public:
    explicit ProcessChannel(base::Process process) : process_(std::move(process)) {}

    base::Process::Line read_line(base::Deadline deadline) override { return process_.read_line(deadline); }
    base::Result<void> write(std::string_view text, base::Deadline deadline) override {
        return process_.write(text, deadline);
    }
    void kill() override { process_.kill(); }
    std::string finish(std::chrono::milliseconds patience) override { return process_.finish(patience).describe(); }

private:
    base::Process process_;
};

}  // namespace

base::Result<std::unique_ptr<EngineChannel>> open_process_channel(const base::Command& command) {
    auto process = base::Process::start(command);
    if (!process) return process.error();
    return std::unique_ptr<EngineChannel>(std::make_unique<ProcessChannel>(*std::move(process)));
}

}  // namespace tsumugi::protocol
