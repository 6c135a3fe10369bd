internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The headers of a response that are stored, and their update by a later response (RFC 9111 sections 3.1 and 3.2).
enum StoredFields {
    /// The headers of one connection.
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "trailer",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// The headers that describe the stored bytes: a response without a body doesn't change them.
    private static let bodyFields: Set<String> = ["content-encoding", "content-length", "content-range"]

    /// Returns the headers that may be stored: without those of the connection, those that `Connection` names and, in
    /// a shared cache, those that `private` names.
    static func kept(_ headers: HTTPFields, _ control: CacheControl, isShared: Bool) -> HTTPFields {
        var dropped = connectionFields
        for option in headers.connection { dropped.insert(option.rawValue) }
        if isShared { dropped.formUnion(control.privateFields) }
        return without(dropped, headers)
    }

    /// Returns the headers for serving without validation: without those that `no-cache` names.
    static func served(_ entry: CacheEntry) -> HTTPFields {
        let names = entry.facts.control.noCacheFields
        return names.isEmpty ? entry.headers : without(Set(names), entry.headers)
    }

    /// Returns the stored headers, updated by those of a later response without a body.
    static func updated(_ stored: HTTPFields, by later: HTTPFields, isShared: Bool) -> HTTPFields {
        let news = without(bodyFields, kept(later, CacheControl(later), isShared: isShared))
        // An `Age` belongs to one response: the later response has its own `Age`, or none.
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
    /// Returns the entry updated by a 304, or by the response to a HEAD, that applies to it.
    func freshened(by head: ResponseHead, arrival: Arrival, isShared: Bool) -> CacheEntry {
        var entry = self
        entry.headers = StoredFields.updated(headers, by: head.headers, isShared: isShared)
        entry.arrival = arrival
        entry.isOutdated = false
        return entry
    }

    /// True if the response to a HEAD applies to this entry: no validator differs (RFC 9111 section 4.3.5).
    func agrees(with head: HTTPFields) -> Bool {
        [HTTPField.Name.eTag, .lastModified, .contentLength].allSatisfy { name in
            guard let value = head[name] else { return true }
            return headers[name] == value
        }
    }
}
