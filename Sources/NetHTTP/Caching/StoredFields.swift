internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which fields of a response are stored, and how a later response changes them (RFC 9111 sections 3.1 and 3.2).
enum StoredFields {
    /// Those of one connection.
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "trailer",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// Those that belong to the stored bytes: an answer without a body does not change them.
    private static let bodyFields: Set<String> = ["content-encoding", "content-length", "content-range"]

    /// What may be stored: nothing of the connection, nor what `Connection` names, nor, in a shared cache, what
    /// `private` names.
    static func kept(_ headers: HTTPFields, _ control: CacheControl, isShared: Bool) -> HTTPFields {
        var dropped = connectionFields
        for option in headers.connection { dropped.insert(option.rawValue) }
        if isShared { dropped.formUnion(control.privateFields) }
        return without(dropped, headers)
    }

    /// What is served without having been validated: not what `no-cache` names.
    static func served(_ entry: CacheEntry) -> HTTPFields {
        let names = entry.facts.control.noCacheFields
        return names.isEmpty ? entry.headers : without(Set(names), entry.headers)
    }

    /// The stored fields, those of a later response without a body put in their place.
    static func updated(_ stored: HTTPFields, by later: HTTPFields, isShared: Bool) -> HTTPFields {
        let news = without(bodyFields, kept(later, CacheControl(later), isShared: isShared))
        // An age is that of one response: the later one has its own, or none.
        var result = without(Set(news.map(\.name.canonicalName)).union(["age"]), stored)
        for field in news { result.append(field) }
        return result
    }

    private static func without(_ names: Set<String>, _ headers: HTTPFields) -> HTTPFields {
        guard headers.contains(where: { names.contains($0.name.canonicalName) }) else { return headers }
        var result = HTTPFields()
        for field in headers where !names.contains(field.name.canonicalName) { result.append(field) }
        return result
    }
}

extension CacheEntry {
    /// The entry after a 304, or the answer to a HEAD, that speaks of it.
    func freshened(by head: ResponseHead, arrival: Arrival, isShared: Bool) -> CacheEntry {
        var entry = self
        entry.headers = StoredFields.updated(headers, by: head.headers, isShared: isShared)
        entry.arrival = arrival
        entry.isOutdated = false
        return entry
    }

    /// Whether the answer to a HEAD speaks of this entry: no validator of it differs (RFC 9111 section 4.3.5).
    func agrees(with head: HTTPFields) -> Bool {
        [HTTPField.Name.eTag, .lastModified, .contentLength].allSatisfy { name in
            guard let value = head[name] else { return true }
            return headers[name] == value
        }
    }
}
