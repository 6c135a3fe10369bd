internal import HTTPTypes

extension ResponseSerializer where Value == String {
    /// Text in the charset of `Content-Type`, or in UTF-8 if it names none.
    ///
    /// Throws `.decoding` for an unknown charset, and for bytes that aren't valid in it.
    public static var string: ResponseSerializer { string() }

    /// Creates a serializer for text in a charset.
    ///
    ///     let serializer = ResponseSerializer<String>.string(charset: .latin1)
    ///     print(serializer.accept ?? "")
    ///
    /// - Parameters:
    ///   - charset: The charset, whatever the response declares. Default nil: the one in `Content-Type`.
    ///   - fallback: The charset of a response that names none. Default UTF-8.
    public static func string(charset: Charset? = nil, fallback: Charset = .utf8) -> ResponseSerializer {
        ResponseSerializer(accept: "text/plain, */*;q=0.1") { head, bytes, _ in
            var chosen = charset ?? fallback
            if charset == nil, let name = head.receivedCharset {
                guard let named = Charset(name: name) else { throw UnreadableText.unknownCharset(name) }
                chosen = named
            }
            guard let text = chosen.decode(bytes) else { throw UnreadableText.invalid(chosen.name) }
            return text
        }
    }
}

/// The reason why a body isn't text.
enum UnreadableText: Error, CustomStringConvertible {
    case unknownCharset(String)
    case invalid(String)

    var description: String {
        switch self {
        case .unknownCharset(let name): "the charset \"\(name)\" is not known; choose one, or read the body as data"
        case .invalid(let name): "the body is not valid \(name); choose another charset, or read it as data"
        }
    }
}
