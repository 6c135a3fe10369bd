internal import NetCore

/// The pages of a file by their IDs, without secrets.
struct HARPages: Sendable {
    private var pages: [String: JSONValue] = [:]

    /// The maximum number of pages; entries of others have none.
    private static let maximum = 10_000
    private static let maximumTitle = 500

    init() {}

    /// - Parameter list: The member `log.pages`; nil if there is none.
    init(_ list: JSONNode?, _ policy: RedactionPolicy) {
        for node in (list?.array ?? []).prefix(Self.maximum) {
            guard let id = node["id"]?.string else { continue }
            var page: [String: JSONValue] = [:]
            if let date = node["startedDateTime"]?.string { page["startedDateTime"] = .string(date.bounded(to: 100)) }
            if let title = node["title"]?.string {
                let title = title.bounded(to: Self.maximumTitle)
                // Browsers take the address as the title of a page without one.
                let text = {
                    String(decoding: policy.redact(body: Array(title.utf8), contentType: "text/plain"), as: UTF8.self)
                }
                page["title"] = .string(title.contains("://") ? policy.redact(url: title) : text())
            }
            var timings: [String: JSONValue] = [:]
            for name in ["onContentLoad", "onLoad"] {
                if let time = node["pageTimings"]?[name]?.number { timings[name] = .number(time) }
            }
            page["pageTimings"] = .object(timings)
            pages[id] = .object(page)
        }
    }

    subscript(id: String) -> JSONValue? { pages[id] }
}

/// The pages of a file that is written, in the order of their first entries. Different pages with one ID, from different
/// files, get different IDs.
struct HARPageList: Sendable {
    private var ids: [String] = []
    private var pages: [String: [String: JSONValue]] = [:]

    /// Adds a page unless it's in the list, and returns its ID.
    mutating func add(_ id: String, _ page: [String: JSONValue]) -> String {
        var (name, number) = (id, 1)
        while let known = pages[name] {
            if known == page { return name }
            number += 1
            name = "\(id)-\(number)"
        }
        ids.append(name)
        pages[name] = page
        return name
    }

    /// The member `log.pages`.
    var value: JSONValue {
        .array(ids.map { id in .object((pages[id] ?? [:]).merging(["id": .string(id)]) { $1 }) })
    }
}
