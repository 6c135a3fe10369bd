internal import CYAML

/// libyaml's parser: takes bytes and returns one event at a time.
package struct YAMLEventStream: ~Copyable {
    /// The parser contains pointers to itself, so it needs a fixed address.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let name: String

    /// The bytes must outlive the stream.
    package init(bytes: UnsafeBufferPointer<UInt8>, name: String) throws(Diagnostic) {
        self.name = name
        self.parser = .allocate(capacity: 1)
        self.parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            throw Diagnostic(.error, "there is not enough memory to read \(name)")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Returns the next event.
    ///
    /// - Throws: The error that libyaml reports, with its position.
    package mutating func next() throws(Diagnostic) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        defer { yaml_event_delete(&event) }
        return translate(event)
    }

    private func translate(_ event: yaml_event_t) -> YAMLEvent {
        let position = position(event.start_mark)
        switch event.type {
        case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, position: position)
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, position: position)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, position: position)
        case YAML_ALIAS_EVENT:
            return YAMLEvent(kind: .alias(text(event.data.alias.anchor) ?? ""), position: position)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let value = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length)), as: UTF8.self)
            return YAMLEvent(
                kind: .scalar(value, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), position: position,
                anchor: text(scalar.anchor), tag: text(scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            return YAMLEvent(
                kind: .sequenceStart, position: position, anchor: text(start.anchor), tag: text(start.tag))
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, position: position)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            return YAMLEvent(
                kind: .mappingStart, position: position, anchor: text(start.anchor), tag: text(start.tag))
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, position: position)
        default: return YAMLEvent(kind: .streamEnd, position: position)
        }
    }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    /// libyaml counts lines and characters from 0.
    private func position(_ mark: yaml_mark_t) -> SourcePosition {
        SourcePosition(file: name, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    /// Returns the error message of libyaml as one sentence.
    private func problem() -> Diagnostic {
        let parser = parser.pointee
        let words = parser.problem.map { String(cString: $0) } ?? "the text cannot be read"
        if parser.error == YAML_MEMORY_ERROR {
            return Diagnostic(.error, "there is not enough memory to read \(name)")
        }
        guard parser.error != YAML_READER_ERROR else {
            // A decoding error has a byte offset; the characters decoded so far end just before it.
            return Diagnostic(
                .error, "the YAML is not valid: \(words) (byte \(parser.problem_offset + 1))",
                at: position(parser.mark))
        }
        var message = "the YAML is not valid: \(words)"
        if let context = parser.context.map({ String(cString: $0) }) {
            message += ", \(context)"
            if parser.context_mark.line != parser.problem_mark.line {
                message += " that starts at line \(parser.context_mark.line + 1), column "
                message += "\(parser.context_mark.column + 1)"
            }
        }
        return Diagnostic(.error, message, at: position(parser.problem_mark))
    }
}
