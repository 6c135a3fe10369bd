#if Tools
internal import Foundation
internal import NetCore
internal import NetOpenAPI
internal import NetRecord

/// The first document of a YAML stream as the nodes of JSON. Plain scalars become null, numbers and Booleans as in the
/// JSON schema of YAML; a scalar with the tag `!!binary` becomes an object with the member `base64_string`.
struct YAMLTree {
    /// The maximum depth of sequences and mappings.
    private static let maximumDepth = 100
    /// The maximum number of nodes that aliases repeat.
    private static let maximumAliasedNodes = 1_000_000

    /// A sequence or a mapping that isn't complete.
    private struct Frame {
        var node: JSONNode
        let anchor: String?
        var elements: [JSONNode] = []
        var members: [JSONNode.Member] = []
        /// The key whose value comes next.
        var key: JSONNode?
        let isMapping: Bool
        /// The number of nodes in it.
        var count = 1
    }

    private let file: String
    private var frames: [Frame] = []
    private var anchors: [String: (node: JSONNode, count: Int)] = [:]
    private var aliased = 0

    private init(file: String) { self.file = file }

    /// Reads a text in UTF-8.
    static func read(_ bytes: [UInt8], file: String) throws(RecordFileError) -> JSONNode {
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONNode, RecordFileError> in
            var tree = YAMLTree(file: file)
            do throws(RecordFileError) { return .success(try tree.document(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func problem(_ text: String, _ position: SourcePosition?) -> RecordFileError {
        RecordFileError(
            file: file, position: position.map { JSONNode.Position(line: $0.line, column: $0.column) }, problem: text,
            advice: "correct it there, or record it again")
    }

    private mutating func document(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordFileError) -> JSONNode {
        do throws(Diagnostic) {
            var events = try YAMLEventStream(bytes: bytes, name: file)
            while true {
                let event = try events.next()
                if case .streamEnd = event.kind { break }
                let root: JSONNode?
                do throws(RecordFileError) { root = try take(event) } catch { throw Self.wrapped(error) }
                if let root { return root }
            }
        } catch {
            throw problem(error.message, error.position)
        }
        throw problem("the file is empty", nil)
    }

    private static func wrapped(_ error: RecordFileError) -> Diagnostic {
        Diagnostic(
            .error, error.problem,
            at: error.position.map { SourcePosition(file: error.file, line: $0.line, column: $0.column) })
    }

    /// Takes an event; returns the root when it is complete.
    private mutating func take(_ event: YAMLEvent) throws(RecordFileError) -> JSONNode? {
        let position = JSONNode.Position(line: event.position.line, column: event.position.column)
        switch event.kind {
        case .streamStart, .streamEnd, .documentStart, .documentEnd: return nil
        case .alias(let name):
            guard let (node, count) = anchors[name] else {
                throw problem("the alias '*\(name)' has no complete anchor before it", event.position)
            }
            aliased += count
            guard aliased <= Self.maximumAliasedNodes else {
                throw problem("aliases repeat more than \(Self.maximumAliasedNodes) nodes", event.position)
            }
            return add(node, count)
        case .scalar(let text, let isPlain):
            let node = JSONNode(kind: Self.kind(text, isPlain, event.tag, position), position: position)
            if let anchor = event.anchor { anchors[anchor] = (node, 1) }
            return add(node, 1)
        case .sequenceStart, .mappingStart:
            guard frames.count < Self.maximumDepth else {
                throw problem("it nests deeper than \(Self.maximumDepth) levels", event.position)
            }
            var isMapping = false
            if case .mappingStart = event.kind { isMapping = true }
            frames.append(
                Frame(
                    node: JSONNode(kind: .null, position: position), anchor: event.anchor,
                    isMapping: isMapping))
            return nil
        case .sequenceEnd, .mappingEnd:
            guard let frame = frames.popLast() else { return nil }
            var node = frame.node
            node.kind = frame.isMapping ? .object(frame.members) : .array(frame.elements)
            if let anchor = frame.anchor { anchors[anchor] = (node, frame.count) }
            return add(node, frame.count)
        }
    }

    /// Adds a value to the innermost sequence or mapping; returns it if it is the root.
    private mutating func add(_ node: JSONNode, _ count: Int) -> JSONNode? {
        guard var frame = frames.popLast() else { return node }
        frame.count += count
        if !frame.isMapping {
            frame.elements.append(node)
        } else if let key = frame.key {
            frame.members.append(.init(name: key.string ?? "", value: node, position: key.position))
            frame.key = nil
        } else {
            // A key such as `200` is its text.
            var key = node
            if key.string == nil { key.kind = .string(HARText.scalar(node) ?? "") }
            frame.key = key
        }
        frames.append(frame)
        return nil
    }

    private static func kind(
        _ text: String, _ isPlain: Bool, _ tag: String?, _ position: JSONNode.Position
    ) -> JSONNode.Kind {
        // Ruby writes `!binary`, Python `!!binary`.
        if tag == "tag:yaml.org,2002:binary" || tag == "!binary" {
            let plain = String(text.filter { !$0.isWhitespace })
            let value = JSONNode(kind: .string(plain), position: position)
            return .object([.init(name: "base64_string", value: value, position: position)])
        }
        guard isPlain, tag == nil else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            let isNumber = text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains($0)
            }
            if isNumber, let number = Double(text) { return .number(number) }
            return .string(text)
        }
    }
}
#endif
