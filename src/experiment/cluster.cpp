// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/cluster.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cluster/job.hpp"
#include "cluster/job_worker.hpp"
#include "cluster/link.hpp"
#include "experiment/output.hpp"
#include "experiment/processor_time.hpp"

namespace tsumugi::experiment {
namespace {

using base::Error;
using base::Result;
using cluster::Connection;
using namespace std::chrono_literals;

// A run whose jobs nobody else does.
constexpr const char* kind = "experiment";
constexpr auto job_patience = 60s;

// Of another process of this machine, from its first day on.
double processor_seconds_of(int process) {
    const auto text = base::read_file(fmt::format("/proc/{}/stat", process));
    if (!text) return 0;
    // The name may hold spaces; user and system time are the 12th and 13th words after it.
    const auto words = base::split_words(std::string_view(*text).substr(text->rfind(')') + 1));
    if (words.size() < 13) return 0;
    const auto ticks = [&](std::size_t i) {
        const auto number = base::parse_number<std::uint64_t>(words[i]);
        return number ? static_cast<double>(*number) : 0.0;
    };
    return (ticks(11) + ticks(12)) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

Result<std::vector<std::shared_ptr<Connection>>> connect(const ClusterOptions& options, int count) {
    std::vector<std::shared_ptr<Connection>> connections;
    for (int i = 0; i < count; ++i) {
        auto connection = Connection::open(options.brokers);
        if (!connection) return connection.error();
        connections.push_back(*std::move(connection));
    }
    return connections;
}

struct JobRow {
    double seconds = 0;
    double own_processor = 0;  // coordinator and workers
    double broker_processor = 0;
};

Result<JobRow> measure_jobs(const ClusterOptions& options, int agents, const std::stop_token& stop) {
    const auto connections = connect(options, agents + 1);
    if (!connections) return connections.error();
    const std::string run = fmt::format("scale{}x{}", ::getpid(), agents);
    auto board = cluster::JobBoard::open(connections->back(), kind, run, {});
    if (!board) return board.error();
    std::vector<std::jthread> workers;
    for (int i = 0; i < agents; ++i)
        workers.emplace_back([&connection = (*connections)[static_cast<std::size_t>(i)],
                              bytes = options.result_bytes](const std::stop_token& over) {
            const cluster::JobHandler handler = [bytes](const cluster::Job&, const std::stop_token&) {
                return Result<std::string>(std::string(bytes, 'r'));
            };
            cluster::JobWorker(connection, {{kind, handler}}, {}).run(over);
        });
    const base::Stopwatch watch;
    const double own = processor_seconds();
    const double broker = processor_seconds_of(options.broker_process);
    const std::string payload(options.job_bytes, 'j');
    std::uint64_t posted = 0;
    std::uint64_t done = 0;
    const auto window = static_cast<std::uint64_t>(4 * agents + 16);
    while (done < options.jobs && !stop.stop_requested()) {
        while (posted < options.jobs && posted - done < window)
            if (const auto added = board->post(posted++, payload); !added) return added.error();
        auto received = board->next(std::chrono::milliseconds(job_patience));
        if (!received) return received.error();
        if (!*received) return Error{Error::Code::io, "a job was not done in a minute"};
        if (const auto confirmed = (*received)->confirm(); !confirmed) return confirmed.error();
        ++done;
    }
    JobRow row{watch.seconds(), processor_seconds() - own, processor_seconds_of(options.broker_process) - broker};
    for (std::jthread& worker : workers)
        worker.request_stop();
    workers.clear();
    if (const auto ended = board->withdraw(); !ended) return ended.error();
    return row;
}

// Milliseconds there and back of every line.
Result<std::vector<double>> measure_lines(const ClusterOptions& options, int sessions, const std::stop_token& stop) {
    const auto connections = connect(options, sessions + 1);
    if (!connections) return connections.error();
    std::vector<std::unique_ptr<cluster::Link>> clients;
    std::vector<std::unique_ptr<cluster::Link>> agents;
    std::vector<std::jthread> echoes;
    for (int i = 0; i < sessions; ++i) {
        const std::string name = fmt::format("scale{}x{}x{}", ::getpid(), sessions, i);
        auto agent =
            cluster::Link::open((*connections)[static_cast<std::size_t>(i)], name, cluster::Link::Side::agent, {});
        auto client = cluster::Link::open(connections->back(), name, cluster::Link::Side::client, {});
        if (!agent) return agent.error();
        if (!client) return client.error();
        agents.push_back(*std::move(agent));
        clients.push_back(*std::move(client));
        echoes.emplace_back([link = agents.back().get()] {
            for (;;) {
                const auto line = link->receive(base::Deadline::never());
                if (line.kind == cluster::Link::Line::Kind::end) return;
                link->send(line.text);
            }
        });
    }
    const std::string text(options.line_bytes, 'l');
    std::vector<double> times;
    for (std::uint64_t i = 0; i < options.lines && !stop.stop_requested(); ++i) {
        const base::Stopwatch watch;
        for (const auto& client : clients)
            client->send(text);
        for (const auto& client : clients) {
            if (client->receive(base::Deadline::after(10s)).kind != cluster::Link::Line::Kind::text)
                return Error{Error::Code::io, "a line did not come back"};
            times.push_back(1000 * watch.seconds());
        }
    }
    for (const auto& client : clients)
        client->close("done");
    return times;
}

double quantile(std::vector<double>& values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

Result<void> run_cluster(const ClusterOptions& options, std::ostream& out, const std::stop_token& stop) {
    report::Table jobs({"workers", "jobs", "jobs/s", "ms of this process a job", "ms of the broker a job"});
    report::Table lines({"sessions", "lines", "median ms", "99 % ms", "worst ms"});
    for (const int agents : options.agents) {
        if (stop.stop_requested()) break;
        const auto row = measure_jobs(options, agents, stop);
        if (!row) return row.error();
        const auto count = static_cast<double>(options.jobs);
        jobs.add(
            {agents, options.jobs, report::Cell(count / row->seconds, 0),
             report::Cell(1000 * row->own_processor / count, 2),
             options.broker_process == 0 ? report::Cell() : report::Cell(1000 * row->broker_processor / count, 2)});
        auto times = measure_lines(options, agents, stop);
        if (!times) return times.error();
        lines.add({agents, times->size(), report::Cell(quantile(*times, 0.5), 2),
                   report::Cell(quantile(*times, 0.99), 2), report::Cell(quantile(*times, 1), 2)});
    }
    const std::vector<NamedTable> tables{{"jobs", "Jobs that take no time", std::move(jobs)},
                                         {"lines", "Lines to all sessions at once, and back", std::move(lines)}};
    print(out, tables);
    if (options.output.empty()) return {};
    const nlohmann::json facts{{"servers", options.brokers.servers},
                               {"replicas", options.brokers.replicas},
                               {"job_bytes", options.job_bytes},
                               {"result_bytes", options.result_bytes},
                               {"line_bytes", options.line_bytes}};
    return write_output(options.output, "cluster", facts, tables);
}

}  // namespace tsumugi::experiment
