internal import NetCore

/// Finds the values of sensitive fields in form bodies.
enum FormRedaction {
    /// Fields of `application/x-www-form-urlencoded`.
    static func edits(in bytes: [UInt8], policy: RedactionPolicy) -> [BodyEdit] {
        var edits: [BodyEdit] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
                let name = PercentEncoding.decode(
                    String(decoding: bytes[start..<equals], as: UTF8.self), plusIsSpace: true)
                if isSensitive(name, policy) {
                    let placeholder = Array(PercentEncoding.encode(policy.placeholder).utf8)
                    edits.append(BodyEdit(range: equals + 1..<end, replacement: placeholder))
                }
            }
            start = end + 1
        }
        return edits
    }

    /// Parts of `multipart/form-data` (RFC 7578): what stands between the blank line and the next boundary.
    static func edits(inParts bytes: [UInt8], boundary: String, policy: RedactionPolicy) -> [BodyEdit] {
        let mark = Array("--\(boundary)".utf8)
        var edits: [BodyEdit] = []
        var position = find(mark, in: bytes, from: 0)
        while let start = position {
            let next = find(mark, in: bytes, from: start + mark.count)
            let blank = Array("\r\n\r\n".utf8)
            if let headEnd = find(blank, in: bytes, from: start), headEnd < next ?? bytes.count {
                let head = String(decoding: bytes[start..<headEnd], as: UTF8.self)
                let valueStart = headEnd + blank.count
                let valueEnd = max(valueStart, next.map { $0 - 2 } ?? bytes.count)
                if let name = partName(head), isSensitive(name, policy) {
                    edits.append(BodyEdit(range: valueStart..<valueEnd, replacement: Array(policy.placeholder.utf8)))
                }
            }
            position = next
        }
        return edits
    }

    private static func isSensitive(_ name: String, _ policy: RedactionPolicy) -> Bool {
        policy.isSensitive(bodyName: name) || policy.queryNames.contains(name.lowercased())
    }

    private static func partName(_ head: String) -> String? {
        let lowercased = head.lowercased()
        guard let place = ["; name=\"", ";name=\""].compactMap({ lowercased.firstRange(of: $0) }).first else {
            return nil
        }
        return String(lowercased[place.upperBound...].prefix { $0 != "\"" })
    }

    private static func find(_ mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = mark.first, bytes.count >= mark.count else { return nil }
        var index = start
        while index + mark.count <= bytes.count {
            guard let found = bytes[index...].firstIndex(of: first), found + mark.count <= bytes.count else {
                return nil
            }
            if bytes[found..<found + mark.count].elementsEqual(mark) { return found }
            index = found + 1
        }
        return nil
    }
}
