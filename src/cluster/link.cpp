// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/link.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace tsumugi::cluster {
namespace {

using base::Clock;
using base::Result;

// What a message is: a line, a sign of life with the number of the next line, a wish to hear lines again, the end.
constexpr std::string_view line_word = "line";
constexpr std::string_view beat_word = "beat";
constexpr std::string_view again_word = "again";
constexpr std::string_view end_word = "end";

// Lines that are on their way need not be asked for twice.
constexpr std::chrono::milliseconds ask_interval{50};

std::string subject_of(const std::string& session, Link::Side side) {
    return fmt::format("tsumugi.link.{}.{}", session, side == Link::Side::client ? "client" : "agent");
}

}  // namespace

Link::Link(std::shared_ptr<Connection> connection, std::string out, const Settings& settings)
    : connection_(std::move(connection)), out_(std::move(out)), settings_(settings) {}

Result<std::unique_ptr<Link>> Link::open(std::shared_ptr<Connection> connection, const std::string& session, Side side,
                                         const Settings& settings) {
    const Side other = side == Side::client ? Side::agent : Side::client;
    std::unique_ptr<Link> link(new Link(connection, subject_of(session, other), settings));
    auto subscription = connection->subscribe(
        subject_of(session, side), [link = link.get()](natsMsg& message) { link->take(payload_of(&message)); });
    if (!subscription) return subscription.error();
    link->subscription_ = *std::move(subscription);
    link->heart_ = std::jthread([link = link.get()](const std::stop_token& stop) { link->beat(stop); });
    return link;
}

Link::~Link() {
    close("the other end is gone");
    heart_.request_stop();
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

void Link::publish(std::string_view kind, std::uint64_t number, std::string_view text) {
    // What the broker does not take now is asked for again, or ends the link by silence.
    static_cast<void>(connection_->publish(out_, fmt::format("{} {}\n{}", kind, number, text)));
}

void Link::send(std::string_view line) {
    const std::lock_guard lock(mutex_);
    if (!ending_.empty()) return;
    sent_.emplace_back(line);
    if (sent_.size() > settings_.kept_lines) sent_.pop_front();
    publish(line_word, next_out_++, line);
}

Link::Line Link::receive(base::Deadline deadline) {
    std::unique_lock lock(mutex_);
    const auto is_ready = [this] { return !received_.empty() || !ending_.empty(); };
    if (deadline.is_never())
        changed_.wait(lock, is_ready);
    else
        changed_.wait_until(lock, deadline.when(), is_ready);
    if (!received_.empty()) {
        Line line{Line::Kind::text, std::move(received_.front())};
        received_.pop_front();
        return line;
    }
    return {ending_.empty() ? Line::Kind::timeout : Line::Kind::end, {}};
}

void Link::close(std::string_view reason) {
    const std::lock_guard lock(mutex_);
    if (!ending_.empty()) return;
    publish(end_word, next_out_, reason);
    end("closed here");
}

std::string Link::ending() const {
    const std::lock_guard lock(mutex_);
    return ending_;
}

void Link::end(std::string reason) {
    if (ending_.empty()) ending_ = std::move(reason);
    changed_.notify_all();
}

void Link::take(std::string_view message) {
    const auto line_end = message.find('\n');
    if (line_end == std::string_view::npos) return;
    const auto words = base::split_words(message.substr(0, line_end));
    if (words.size() != 2) return;
    const auto number = base::parse_number<std::uint64_t>(words[1]);
    if (!number) return;
    const std::string_view text = message.substr(line_end + 1);
    const std::lock_guard lock(mutex_);
    heard_ = Clock::now();
    if (words[0] == line_word) take_line(*number, text);
    if (words[0] == beat_word && *number > next_in_) ask_again();
    if (words[0] == again_word) send_again(*number);
    if (words[0] == end_word) {
        // Lines that were lost on the way before the end stay lost: nobody is there to send them again.
        end(std::string(text));
    }
}

void Link::take_line(std::uint64_t number, std::string_view text) {
    if (number < next_in_) return;  // heard before
    if (number > next_in_) return ask_again();
    ++next_in_;
    received_.emplace_back(text);
    if (received_.size() > settings_.waiting_lines) end("more lines than can be read");
    changed_.notify_all();
}

void Link::ask_again() {
    const auto now = Clock::now();
    if (now - asked_ < ask_interval) return;
    asked_ = now;
    publish(again_word, next_in_, {});
}

void Link::send_again(std::uint64_t from) {
    const std::uint64_t first = next_out_ - sent_.size();
    if (from < first) {
        publish(end_word, next_out_, "too many lines were lost");
        return end("the other end lost too many lines");
    }
    for (std::uint64_t number = from; number < next_out_; ++number)
        publish(line_word, number, sent_[number - first]);
}

void Link::beat(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested() && ending_.empty()) {
        publish(beat_word, next_out_, {});
        if (Clock::now() - heard_ > settings_.patience)
            end(fmt::format("nothing was heard for {} ms", settings_.patience.count()));
        const auto is_over = [&] { return stop.stop_requested() || !ending_.empty(); };
        changed_.wait_for(lock, settings_.beat, is_over);
    }
}

}  // namespace tsumugi::cluster
