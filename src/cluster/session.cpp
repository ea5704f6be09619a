// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/session.hpp"

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace tsumugi::cluster {
namespace {

using base::Deadline;
using base::Error;
using base::Result;
using nlohmann::json;

// To start a program takes some milliseconds; a machine may be busy.
constexpr std::chrono::milliseconds start_patience{3000};
// A program that does not read this long is as good as dead.
constexpr std::chrono::seconds writing_patience{5};
// From its last word to the kill.
constexpr std::chrono::milliseconds ending_patience{500};

std::string open_subject(const std::string& agent) { return "tsumugi.agent." + agent + ".open"; }

std::string random_name() {
    std::random_device device;
    return fmt::format("{:08x}{:08x}{:08x}", device(), device(), device());
}

}  // namespace

// A running program and the link to its client.
class SessionHost::Session {
public:
    Session(std::string program, base::Process process, std::unique_ptr<Link> link, const Filter& filter)
        : program_(std::move(program)),
          process_(std::move(process)),
          link_(std::move(link)),
          reader_([this, &filter] { read_client(filter); }),
          writer_([this] { read_program(); }) {}
    ~Session() {
        link_->close("the agent ends");
        process_.kill();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] const std::string& program() const { return program_; }
    [[nodiscard]] bool is_over() const { return over_; }

private:
    void read_client(const Filter& filter) {
        for (;;) {
            const Link::Line line = link_->receive(Deadline::never());
            if (line.kind == Link::Line::Kind::end) break;
            const auto allowed = filter(line.text);
            if (!allowed) {
                link_->close(allowed.error().message);
                break;
            }
            if (!*allowed) continue;
            if (const auto written = process_.write(**allowed + "\n", Deadline::after(writing_patience)); !written)
                break;
        }
        process_.kill();
    }
    void read_program() {
        for (;;) {
            const base::Process::Line line = process_.read_line(Deadline::never());
            if (line.kind != base::Process::Line::Kind::text) break;
            if (line.stream == base::Process::Stream::output) link_->send(line.text);
        }
        auto status = process_.wait(Deadline::after(ending_patience));
        process_.kill();
        if (!status) status = process_.wait(Deadline::after(ending_patience));
        link_->close(status ? status->describe() : "does not end");
        over_ = true;
    }

    const std::string program_;
    base::Process process_;
    std::unique_ptr<Link> link_;
    std::atomic<bool> over_ = false;
    std::jthread reader_;
    std::jthread writer_;
};

SessionHost::SessionHost(std::shared_ptr<Connection> connection, std::vector<Program> programs, Filter filter,
                         const Link::Settings& settings)
    : connection_(std::move(connection)),
      programs_(std::move(programs)),
      filter_(std::move(filter)),
      settings_(settings) {}

Result<std::unique_ptr<SessionHost>> SessionHost::open(std::shared_ptr<Connection> connection, const std::string& agent,
                                                       std::vector<Program> programs, Filter filter,
                                                       const Link::Settings& settings) {
    std::unique_ptr<SessionHost> host(new SessionHost(connection, std::move(programs), std::move(filter), settings));
    auto subscription =
        connection->subscribe(open_subject(agent), [host = host.get()](natsMsg& message) { host->answer(message); });
    if (!subscription) return subscription.error();
    host->subscription_ = *std::move(subscription);
    return host;
}

SessionHost::~SessionHost() {
    subscription_.reset();  // before the sessions: no new ones
}

void SessionHost::answer(natsMsg& request) {
    const auto begun = begin(payload_of(&request));
    const json reply = begun ? json{{"ok", true}} : json{{"error", begun.error().message}};
    static_cast<void>(connection_->respond(request, reply.dump()));
}

Result<void> SessionHost::begin(std::string_view request) {
    const json wish = json::parse(request, nullptr, false);
    if (!wish.is_object() || !wish.contains("program") || !wish.contains("session") || !wish["program"].is_string() ||
        !wish["session"].is_string())
        return Error{Error::Code::syntax, "a request names a program and a session"};
    const std::string name = wish["program"];
    const std::string session = wish["session"];
    if (!is_token(session)) return Error{Error::Code::syntax, "the name of the session is not one"};
    const auto program =
        std::find_if(programs_.begin(), programs_.end(), [&](const Program& each) { return each.name == name; });
    if (program == programs_.end())
        return Error{Error::Code::unsupported, fmt::format("there is no engine '{}' here", base::shorten(name, 40))};
    const std::lock_guard lock(mutex_);
    std::erase_if(sessions_, [](const auto& each) { return each->is_over(); });
    if (busy(name) >= program->sessions)
        return Error{Error::Code::limit, fmt::format("all {} sessions of '{}' are in use", program->sessions, name)};
    auto link = Link::open(connection_, session, Link::Side::agent, settings_);
    if (!link) return link.error();
    auto process = base::Process::start(program->command);
    if (!process) return process.error();
    sessions_.push_back(std::make_unique<Session>(name, *std::move(process), *std::move(link), filter_));
    return {};
}

int SessionHost::busy(const std::string& program) {
    return static_cast<int>(std::count_if(sessions_.begin(), sessions_.end(), [&](const auto& each) {
        return each->program() == program && !each->is_over();
    }));
}

std::vector<EngineOffer> SessionHost::offers() {
    const std::lock_guard lock(mutex_);
    std::vector<EngineOffer> offers;
    for (const Program& program : programs_)
        offers.push_back({program.name, program.sessions, busy(program.name)});
    return offers;
}

Result<std::unique_ptr<Link>> open_session(const std::shared_ptr<Connection>& connection, const std::string& agent,
                                           const std::string& program, const Link::Settings& settings) {
    const std::string session = random_name();
    auto link = Link::open(connection, session, Link::Side::client, settings);
    if (!link) return link.error();
    const auto reply = connection->request(open_subject(agent), json{{"program", program}, {"session", session}}.dump(),
                                           start_patience);
    if (!reply) return reply.error().in("agent " + agent);
    const json answer = json::parse(*reply, nullptr, false);
    if (!answer.is_object()) return Error{Error::Code::syntax, fmt::format("agent {}: an answer that is none", agent)};
    if (!answer.contains("ok"))
        return Error{Error::Code::unsupported, fmt::format("agent {}: {}", agent, answer.value("error", "refused"))};
    return link;
}

}  // namespace tsumugi::cluster
