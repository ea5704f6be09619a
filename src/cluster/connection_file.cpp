// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/connection_file.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

namespace tsumugi::cluster {

using base::Error;
using base::Result;

Result<ConnectionSettings> read_connection(const toml::table& table, const std::filesystem::path& folder) {
    base::TomlEntries entries(table);
    ConnectionSettings settings;
    if (const toml::node* servers = entries.find("servers")) {
        settings.servers.clear();
        if (const toml::array* list = servers->as_array(); list != nullptr && list->is_homogeneous<std::string>())
            for (const toml::node& each : *list)
                settings.servers.push_back(each.value_or(std::string()));
        if (settings.servers.empty())
            entries.complain(*servers, "servers is a list such as [\"nats://127.0.0.1:4222\"]");
    }
    const auto read_path = [&](std::string_view entry, std::filesystem::path& path) {
        std::string text;
        entries.read(entry, text);
        if (!text.empty()) path = folder / text;
    };
    std::filesystem::path password_file;
    entries.read("name", settings.name);
    entries.read("user", settings.user);
    entries.read("password", settings.password);
    read_path("password_file", password_file);
    entries.read("nkey", settings.nkey);
    read_path("nkey_seed", settings.nkey_seed);
    entries.read("tls_name", settings.tls_name);
    read_path("authority", settings.authority);
    read_path("certificate", settings.certificate);
    read_path("key", settings.key);
    entries.read("replicas", settings.replicas, 1, 5);
    if (const toml::node* tls = entries.find("tls")) {
        if (tls->is_boolean())
            settings.tls = tls->value_or(false);
        else
            entries.complain(*tls, "tls is true or false");
    }
    if (entries.mistake()) return entries.mistake()->in("cluster");
    if (!password_file.empty()) {
        const auto text = base::read_file(password_file);
        if (!text) return text.error();
        settings.password = std::string(base::trim(*text));
    }
    if (settings.nkey.empty() != settings.nkey_seed.empty())
        return Error{Error::Code::syntax, "cluster: nkey and nkey_seed belong together"};
    if (settings.certificate.empty() != settings.key.empty())
        return Error{Error::Code::syntax, "cluster: certificate and key belong together"};
    if (settings.tls && settings.authority.empty() && settings.tls_name.empty())
        return Error{Error::Code::syntax,
                     "cluster: with tls, say whom to trust: authority (a file of certificates), or tls_name (a name in "
                     "the brokers' certificates); else any host with a certificate could pose as a broker"};
    return settings;
}

}  // namespace tsumugi::cluster
