/// A parser of YAML into a tree with positions. It resolves anchors, aliases and merge keys, and keeps scalars as
/// written.
///
/// It doesn't infer types from plain scalars: `no`, `2020-01-01` and `1.0` stay text, and a key such as `200` is its
/// text. An alias shares the nodes of its anchor, so it takes no memory. The number of aliased nodes is limited
/// nevertheless, because code that walks the tree visits each of them.
package struct YAMLReader: ~Copyable {
    private var events: YAMLEventStream
    private let name: String
    private var frames: [YAMLFrame] = []
    private var anchors: [String: YAMLAnchor] = [:]
    private var aliasedNodes = 0
    private var warnings: [Diagnostic] = []

    private init(bytes: UnsafeBufferPointer<UInt8>, name: String) throws(Diagnostic) {
        self.name = name
        self.events = try YAMLEventStream(bytes: bytes, name: name)
    }

    /// Parses the first document of a stream; a second one is a warning.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, with or without a byte order mark.
    ///   - name: The file's name in positions.
    /// - Throws: The first error, with its position.
    package static func read(_ bytes: [UInt8], name: String) throws(Diagnostic) -> ParsedText {
        try TextEncodingCheck.validate(bytes, name: name)
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<ParsedText, Diagnostic> in
            do throws(Diagnostic) {
                // libyaml would count a byte order mark as a column.
                let text = buffer.dropFirst(TextEncodingCheck.byteOrderMarkLength(bytes))
                var reader = try YAMLReader(bytes: UnsafeBufferPointer(rebasing: text), name: name)
                return .success(try reader.readStream())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Reads to the end of the stream, so that invalid text after the first document is an error as well.
    private mutating func readStream() throws(Diagnostic) -> ParsedText {
        var root: Node?
        while true {
            let event = try events.next()
            switch event.kind {
            case .streamEnd:
                guard let root else {
                    throw Diagnostic(.error, "the document is empty", at: event.position)
                }
                return ParsedText(root: root, warnings: warnings)
            case .documentStart:
                anchors = [:]
                let document = try readDocument()
                guard let first = root else {
                    root = document
                    continue
                }
                try checkFirst(first, followedBy: event.position)
            default: continue
            }
        }
    }

    private mutating func checkFirst(_ first: Node, followedBy position: SourcePosition) throws(Diagnostic) {
        if first.isNull {
            throw Diagnostic(
                .error, "the first YAML document of the file is empty and others follow; remove the extra '---'",
                at: first.position)
        }
        let message = "the file holds several YAML documents; only the first is read"
        guard !warnings.contains(where: { $0.message == message }) else { return }
        warnings.append(Diagnostic(.warning, message, at: position))
    }

    private mutating func readDocument() throws(Diagnostic) -> Node {
        while true {
            let event = try events.next()
            var completed: YAMLAnchor
            switch event.kind {
            case .alias(let anchor): completed = try expand(anchor, at: event.position)
            case .scalar(let text, let isPlain):
                completed = scalar(text, isPlain: isPlain, event: event)
            case .sequenceStart, .mappingStart:
                try open(event)
                continue
            case .sequenceEnd, .mappingEnd:
                guard let frame = frames.popLast() else { continue }
                completed = frame.finished(warnings: &warnings)
                if let anchor = frame.anchor { anchors[anchor] = completed }
            default: continue
            }
            guard !frames.isEmpty else { return completed.node }
            try frames[frames.count - 1].add(completed, tag: event.tag, warnings: &warnings)
        }
    }

    private mutating func scalar(_ text: String, isPlain: Bool, event: YAMLEvent) -> YAMLAnchor {
        let isQuoted = YAMLTag.isText(event.tag) ?? !isPlain
        let leaf = YAMLAnchor(node: Node(.scalar(text, isQuoted: isQuoted), at: event.position))
        if let anchor = event.anchor { anchors[anchor] = leaf }
        return leaf
    }

    private mutating func open(_ event: YAMLEvent) throws(Diagnostic) {
        guard frames.count < ReadingLimits.maximumDepth else { throw tooDeep(event.position) }
        var isMapping = false
        if case .mappingStart = event.kind { isMapping = true }
        let frame = YAMLFrame(isMapping: isMapping, position: event.position, anchor: event.anchor)
        if let anchor = event.anchor { anchors[anchor] = YAMLAnchor(openAt: event.position) }
        frames.append(frame)
    }

    private func tooDeep(_ position: SourcePosition) -> Diagnostic {
        Diagnostic(
            .error, "sequences and mappings nest deeper than \(ReadingLimits.maximumDepth) levels", at: position)
    }

    private mutating func expand(_ anchor: String, at position: SourcePosition) throws(Diagnostic) -> YAMLAnchor {
        guard let target = anchors[anchor] else {
            throw Diagnostic(.error, "the alias '*\(anchor)' has no anchor '&\(anchor)' before it", at: position)
        }
        guard !target.isOpen else {
            throw Diagnostic(
                .error, "the alias '*\(anchor)' is inside its own anchor, so its value would never end",
                at: position)
        }
        guard frames.count + target.height <= ReadingLimits.maximumDepth else { throw tooDeep(position) }
        aliasedNodes += target.weight
        guard aliasedNodes <= ReadingLimits.maximumAliasedNodes else {
            throw Diagnostic(
                .error,
                """
                the alias '*\(anchor)' takes the document over the limit of \(ReadingLimits.maximumAliasedNodes) \
                nodes made by aliases
                """,
                at: position)
        }
        return target
    }
}
