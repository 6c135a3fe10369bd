#if Server
import Foundation
import NetCore
import NetOpenAPI
import NetRecord
import Testing

/// A document of `Fixtures/json/documents.py`, with Python's result for it.
private struct PeerDocument: Decodable {
    let document: Data
    let accepts: Bool
    let notes: Set<String>
    let first: String?
    let last: String?

    var isLine: Bool { notes.contains("line") }

    /// Returns true if we accept it: like Python, except for the documented differences.
    func isTaken(except differences: Set<String>) -> Bool { accepts && notes.isDisjoint(with: differences) }

    static func make(seed: Int, count: Int, bytes: Int? = nil) async throws -> [PeerDocument] {
        let script = PeerProgram.root + "/Fixtures/json/documents.py"
        let arguments = [script, "\(seed)", "\(count)"] + (bytes.map { ["\($0)"] } ?? [])
        let (status, output) = try await PeerProgram.run("/usr/bin/python3", arguments)
        try #require(status == 0, "\(output.suffix(2000))")
        return try output.split(separator: "\n").map {
            try JSONDecoder().decode(PeerDocument.self, from: Data($0.utf8))
        }
    }
}

/// Every entry point for JSON accepts and rejects the same documents as Python's `json`, with the same values, except
/// for the differences listed in `Fixtures/json/documents.py`.
@Suite(.timeLimit(.minutes(5))) struct JSONPeerTests {
    /// One entry point, with the text of its value; nil for a document that it rejects.
    private struct Way: Sendable {
        let name: String
        let differences: Set<String>
        var needsLine = false
        var isLastOfOneName = false
        /// The number of levels around the document.
        var levels = 0
        let read: @Sendable (Data) async throws -> String
    }

    private struct Holder: Decodable, Sendable { let a: JSONValue }

    private static let ours: Set<String> = ["deep", "range", "surrogate"]

    private static func data(_ parts: String, _ document: Data, _ end: String) -> Bytes {
        Bytes(Data(parts.utf8) + document + Data(end.utf8))
    }

    private static let ways: [Way] = [
        Way(name: "JSONValue", differences: ours) {
            canonical(try JSONCoding.standard.decode(JSONValue.self, from: Bytes($0)))
        },
        Way(name: "a member of a struct", differences: ours, needsLine: true, levels: 1) {
            canonical(try JSONCoding.standard.decode(Holder.self, from: data("{\"a\":", $0, "}")).a)
        },
        Way(name: "snake case", differences: ours, needsLine: true, levels: 1) {
            let list = try JSONCoding.snakeCaseISO8601.decode([JSONValue].self, from: data("[", $0, "]"))
            return canonical(try #require(list.first))
        },
        Way(name: "JSON Lines", differences: ours, needsLine: true) {
            let body = ResponseBody(data("\n", $0, "\n"))
            for try await value in body.jsonLines(of: JSONValue.self) { return canonical(value) }
            return "none"
        },
        Way(name: "server-sent events", differences: ours, needsLine: true) {
            let serializer = ResponseSerializer.serverSentEvents(of: JSONValue.self)
            let head = ResponseHead(status: .ok, headers: [.contentType: "text/event-stream"])
            for try await value in try serializer.convert(head, data("data:", $0, "\n\n"), SerializationContext()) {
                return canonical(value)
            }
            return "none"
        },
        Way(name: "problem details", differences: ours, needsLine: true, levels: 1) {
            let head = ResponseHead(status: .badRequest, headers: [.contentType: "application/problem+json"])
            let problem = try ProblemDetails(head: head, body: data("{\"x\":", $0, "}"))
            return canonical(try #require(problem?.extensions["x"]))
        },
        Way(name: "files of contracts", differences: ours) {
            canonical(try RecordFile.document(Array($0), file: "a.json", advice: "mend it").value)
        },
        Way(name: "cassettes", differences: ["deep", "range"]) {
            let document = try JSONDocument(Bytes($0), replacesLoneSurrogates: true)
            return canonical(try document.node(), try document.value())
        },
        Way(name: "OpenAPI documents", differences: ["deep", "encoding"], isLastOfOneName: true) {
            try canonical(JSONReader.read(Array($0), name: "a.json").root)
        },
    ]

    @Test(arguments: ways.indices) func documentsAreReadAsPythonReadsThem(_ index: Int) async throws {
        let way = Self.ways[index]
        for document in try await PeerDocument.make(seed: 1 + index, count: 2000) {
            try await check(document, way)
        }
    }

    @Test(arguments: ways.indices) func largeDocumentsTakeTimeInProportion(_ index: Int) async throws {
        #if DEBUG
        let (bytes, limit) = (1 << 16, 1.0)
        #else
        let (bytes, limit) = (1_000_000, 1.0)
        #endif
        let way = Self.ways[index]
        for document in try await PeerDocument.make(seed: 100 + index, count: 24, bytes: bytes) {
            let seconds = try await check(document, way)
            #expect(seconds < limit, "\(way.name): \(document.document.prefix(40)) took \(seconds) s of CPU time")
        }
    }

    /// Compares our result with Python's; returns the CPU seconds it took.
    @discardableResult
    private func check(_ document: PeerDocument, _ way: Way) async throws -> Double {
        guard document.isLine || !way.needsLine else { return 0 }
        let start = CPUTime()
        let result: Result<String, any Error>
        do {
            result = .success(try await way.read(document.document))
        } catch {
            result = .failure(error)
        }
        let seconds = start.elapsed
        let shown: () -> Comment = {
            let text = String(decoding: document.document.prefix(200), as: UTF8.self)
            return "\(way.name): \(text.debugDescription) \(document.notes.sorted())"
        }
        // A document that just fits is too deep inside others.
        if case .failure(let error) = result, way.levels > 0, isTooDeep(error) { return seconds }
        let isTaken = document.isTaken(except: way.differences)
        let expected = way.isLastOfOneName ? document.last : document.first
        switch result {
        case .success(let value):
            #expect(isTaken, shown())
            #expect(!isTaken || value == expected, shown())
        case .failure(let error):
            #expect(!isTaken, "\(shown()): \(error)")
            if document.accepts, document.notes.intersection(way.differences) == ["deep"] {
                #expect(isTooDeep(error), shown())
            }
        }
        return seconds
    }

    private func isTooDeep(_ error: any Error) -> Bool {
        let error = (error as? NetError)?.underlying ?? error
        if let error = error as? RecordFileError { return error.problem == "it is nested too deeply" }
        if let error = error as? Diagnostic { return error.message.contains("deeper than 512") }
        if case DecodingError.dataCorrupted(let context) = error {
            return (context.underlyingError as? UnreadableJSON)?.reason == .tooDeep
        }
        return (error as? UnreadableJSON)?.reason == .tooDeep
    }
}

/// The CPU time of this thread.
private struct CPUTime {
    private let thread = pthread_self()
    private let start = now()

    /// The seconds since the start; 0 on another thread.
    var elapsed: Double { pthread_equal(thread, pthread_self()) != 0 ? Self.now() - start : 0 }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Returns the text that `Fixtures/json/documents.py` makes of a value.
private func canonical(_ value: JSONValue) -> String {
    var text = ""
    append(value, to: &text)
    return text
}

private func append(_ value: JSONValue, to text: inout String) {
    switch value {
    case .null: text += "n"
    case .bool(let value): text += value ? "t" : "f"
    case .integer(let value): text += "i\(value)"
    case .unsigned(let value): text += "i\(value)"
    case .number(let value): text += canonical(value)
    case .decimal(let value): text += canonical(Double(value.description) ?? .nan)
    case .string(let value): text += "s" + hexadecimal(value)
    case .array(let elements):
        text += "["
        for element in elements { append(element, to: &text) }
        text += "]"
    case .object(let members):
        text += "{"
        for (name, value) in members.map({ (hexadecimal($0), $1) }).sorted(by: { $0.0 < $1.0 }) {
            text += "k" + name
            append(value, to: &text)
        }
        text += "}"
    }
}

private func canonical(_ value: Double) -> String {
    let digits = String(value.bitPattern, radix: 16)
    return "d" + String(repeating: "0", count: 16 - digits.count) + digits
}

private func hexadecimal(_ text: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// Returns the text of a node, which must equal the value except for having more digits.
private func canonical(_ node: JSONNode, _ value: JSONValue) -> String {
    func isSame(_ node: JSONNode, _ value: JSONValue) -> Bool {
        switch (node.kind, value) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.number(let left), _): left == value.doubleValue
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let left), .object(let right)):
            Set(left.map(\.name)) == Set(right.keys)
                && right.allSatisfy { name, value in
                    left.first { $0.name == name }.map { isSame($0.value, value) } == true
                }
        default: false
        }
    }
    // The comparison by name takes quadratic time.
    if case .object(let members) = node.kind, members.count > 1000 { return canonical(value) }
    return isSame(node, value) ? canonical(value) : "the node is another"
}

private func canonical(_ node: Node) throws -> String {
    switch node.value {
    case .scalar(let text, true): return "s" + hexadecimal(text)
    case .scalar(let text, false):
        // Python's text for a number that is too large.
        guard let value = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(text.utf8)) else { return "x" }
        return canonical(value)
    case .array(let elements): return "[" + (try elements.map(canonical).joined()) + "]"
    case .object(let members):
        let parts = try members.map { (hexadecimal($0.key), try canonical($0.value)) }
        return "{" + parts.sorted { $0.0 < $1.0 }.map { "k\($0)\($1)" }.joined() + "}"
    }
}
#endif
