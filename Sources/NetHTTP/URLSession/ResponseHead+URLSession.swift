#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import HTTPTypes
internal import NetCore

extension ResponseHead {
    /// Status and fields of Foundation's response; nil for a status that is no number of three digits.
    ///
    /// Foundation keeps neither the order of the fields nor their repetitions: they come sorted by name, several values
    /// of one joined by commas. `Set-Cookie`, which no list can hold (RFC 9110 section 5.3), is taken apart again.
    init?(_ response: HTTPURLResponse) {
        guard (100...999).contains(response.statusCode) else { return nil }
        var named: [(HTTPField.Name, String)] = []
        for (key, value) in response.allHeaderFields {
            guard let key = key as? String, let name = HTTPField.Name(key), let value = value as? String else {
                continue
            }
            named.append((name, value))
        }
        named.sort { ($0.0.canonicalName, $0.1) < ($1.0.canonicalName, $1.1) }
        var headers = HTTPFields()
        for (name, value) in named {
            for value in name == .setCookie ? JoinedCookies.split(value) : [value] {
                headers.append(HTTPField(name: name, value: value))
            }
        }
        self.init(status: HTTPResponse.Status(code: response.statusCode), headers: headers)
    }
}
#endif
