internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// The members of another program's entry that the tables have no column for, so that an export writes them again. A store
/// keeps them as JSON in the detail of the call.
///
/// Only what an export would write differently is kept, without secrets.
package struct HARDetail: Sendable {
    private var members: [String: JSONValue] = [:]

    /// The maximum length of a text, in bytes: enough for titles, media types and addresses.
    private static let maximumBytes = 2000
    /// The maximum number of cookies of a message.
    private static let maximumCookies = 200

    /// - Parameters:
    ///   - entry: The entry of the file.
    ///   - exchange: The redacted request and response.
    ///   - pages: The pages of the file by their IDs.
    init(_ entry: HAREntry, _ exchange: CapturedExchange, pages: HARPages, _ policy: RedactionPolicy) {
        let node = entry.node
        func text(_ node: JSONNode?, unless known: String) -> JSONValue? {
            guard let text = node?.string, text != known else { return nil }
            return .string(Self.redacted(text, policy))
        }
        members["connection"] = text(node["connection"], unless: "")
        members["pageref"] = text(node["pageref"], unless: "")
        members["page"] = node["pageref"]?.string.flatMap { pages[$0] }
        var request: [String: JSONValue] = [:]
        let response = exchange.response
        let version = HARWriter.version(response?.version ?? "")
        if let node = node["request"] {
            request["httpVersion"] = text(node["httpVersion"], unless: version)
            request["headersSize"] = Self.size(node["headersSize"])
            request["cookies"] = Self.cookies(
                node["cookies"], besides: exchange.request.headers[values: .cookie], policy)
            request["mimeType"] = text(
                node["postData"]?["mimeType"], unless: exchange.request.headers[.contentType] ?? "")
        }
        if !request.isEmpty { members["request"] = .object(request) }
        if let node = node["response"], let response { keep(node, response, version, policy) }
    }

    private mutating func keep(
        _ node: JSONNode, _ response: CapturedExchange.Response, _ version: String, _ policy: RedactionPolicy
    ) {
        func text(_ node: JSONNode?, unless known: String) -> JSONValue? {
            guard let text = node?.string, text != known else { return nil }
            return .string(Self.redacted(text, policy))
        }
        var kept: [String: JSONValue] = [:]
        kept["statusText"] = text(
            node["statusText"], unless: HTTPResponse.Status(code: response.status.code).reasonPhrase)
        kept["httpVersion"] = text(node["httpVersion"], unless: version)
        kept["headersSize"] = Self.size(node["headersSize"])
        kept["bodySize"] = Self.size(node["bodySize"])
        kept["cookies"] = Self.cookies(node["cookies"], besides: response.headers[values: .setCookie], policy)
        if let url = node["redirectURL"]?.string.map({ HARWriter.url(policy.redact(url: $0)) }),
            url != HARWriter.url(response.headers[.location] ?? "")
        {
            kept["redirectURL"] = url
        }
        kept["mimeType"] = text(node["content"]?["mimeType"], unless: response.headers[.contentType] ?? "")
        // The size of a body in which something was hidden.
        if let size = node["content"]?["size"]?.number.flatMap({ Int64(exactly: $0) }), size >= 0, !response.body.isCut,
            size != Int64(response.body.keptCount)
        {
            kept["contentSize"] = .integer(size)
        }
        // The bodies of the file are decoded, so the header isn't among the stored ones.
        let coding = node["headers"]?.array?.first { $0["name"]?.string?.lowercased() == "content-encoding" }
        if response.headers[.contentEncoding] == nil { kept["contentEncoding"] = text(coding?["value"], unless: "") }
        if !kept.isEmpty { members["response"] = .object(kept) }
    }

    private static func redacted(_ text: String, _ policy: RedactionPolicy) -> String {
        let text = text.bounded(to: maximumBytes)
        if text.utf8.allSatisfy({ $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ":") }), text.utf8.count < 30 {
            return text
        }
        return String(decoding: policy.redact(body: Array(text.utf8), contentType: "text/plain"), as: UTF8.self)
    }

    private static func size(_ node: JSONNode?) -> JSONValue? {
        node?.number.flatMap { $0 >= 0 ? Int64(exactly: $0) : nil }.map { .integer($0) }
    }

    /// Returns the cookies without their values; nil if the headers contain them.
    private static func cookies(_ node: JSONNode?, besides headers: [String], _ policy: RedactionPolicy) -> JSONValue? {
        guard let cookies = node?.array, !cookies.isEmpty else { return nil }
        let known = ["path", "domain", "expires", "httpOnly", "secure", "sameSite"]
        let kept = cookies.prefix(maximumCookies).compactMap { cookie -> JSONValue? in
            guard let name = cookie["name"]?.string else { return nil }
            var members: [String: JSONValue] = [
                "name": .string(name.bounded(to: maximumBytes)), "value": .string(policy.placeholder),
            ]
            for member in known {
                guard let value = cookie[member]?.value else { continue }
                if case .string(let text) = value {
                    members[member] = .string(text.bounded(to: maximumBytes))
                } else if case .bool = value {
                    members[member] = value
                }
            }
            return .object(members)
        }
        return .array(kept)
    }
}

extension HARDetail {
    /// The members as JSON; nil if there are none.
    var text: String? { members.isEmpty ? nil : RecordJSON.line(.object(members)) }

    /// - Parameter text: The detail of a call; other text than that of ``text`` has no members.
    package init?(_ text: String?) {
        guard let text, text.hasPrefix("{"),
            case .object(let members)? = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(text.utf8))
        else { return nil }
        self.members = members
    }

    /// The content coding of the response as it was transferred; nil if there was none, or if it isn't known.
    package var contentEncoding: String? {
        guard case .object(let part)? = members["response"], case .string(let text)? = part["contentEncoding"] else {
            return nil
        }
        return text
    }

    /// The size of the response's body as it was transferred, in bytes; nil if it isn't known.
    package var bodySize: Int64? {
        guard case .object(let part)? = members["response"], case .integer(let size)? = part["bodySize"] else {
            return nil
        }
        return size
    }

    /// The entry's page, with its ID.
    var page: (id: String, members: [String: JSONValue])? {
        guard case .string(let id)? = members["pageref"], case .object(let page)? = members["page"] else { return nil }
        return (id, page)
    }

    /// Writes the members into an entry.
    ///
    /// - Parameter page: The ID of the entry's page in the file that is written.
    func write(to entry: inout [String: JSONValue], page: String?) {
        if let connection = members["connection"] { entry["connection"] = connection }
        if let page = page.map({ .string($0) }) ?? members["pageref"] { entry["pageref"] = page }
        if case .object(var kept)? = members["request"], case .object(var request)? = entry["request"] {
            let type = kept.removeValue(forKey: "mimeType")
            for name in ["postData", "_postData"] {
                guard let type, case .object(var data)? = request[name] else { continue }
                data["mimeType"] = type
                request[name] = .object(data)
            }
            entry["request"] = .object(request.merging(kept) { $1 })
        }
        if case .object(var kept)? = members["response"], case .object(var response)? = entry["response"] {
            let (type, size) = (kept.removeValue(forKey: "mimeType"), kept.removeValue(forKey: "contentSize"))
            if case .object(var content)? = response["content"] {
                if let type { content["mimeType"] = type }
                if let size { (content["size"], content["_isCut"]) = (size, false) }
                response["content"] = .object(content)
            }
            if let coding = kept.removeValue(forKey: "contentEncoding"), case .array(let headers)? = response["headers"]
            {
                response["headers"] = .array(headers + [["name": "content-encoding", "value": coding]])
            }
            entry["response"] = .object(response.merging(kept) { $1 })
        }
    }
}
