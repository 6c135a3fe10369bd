#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore

extension ResponseHead {
    /// Creates the head of Foundation's response; nil for a status that isn't a number of three digits.
    init?(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { key, value in
            (key as? String).flatMap { name in (value as? String).map { (name, $0) } }
        }
        self.init(status: response.statusCode, joinedFields: fields)
    }
}
#endif
