public import HTTPTypes

// Accessors with value semantics. As in every field, a control character becomes a space.
extension HTTPFields {
    /// The `Content-Type` header with its parameters; nil if it's absent or not a media type. Setting nil removes it.
    ///
    ///     var headers = HTTPFields()
    ///     headers.mediaType = .json
    ///     headers.accepted = ["application/json", Weighted("text/*", quality: 0.5)]
    ///     print(headers[.accept] ?? "")  // application/json, text/*;q=0.5
    public var mediaType: MediaType? {
        get { self[.contentType].flatMap { MediaType($0) } }
        set { self[.contentType] = newValue?.description }
    }

    /// The media types of the `Accept` header, in order. Setting none removes the header.
    public var accepted: [Weighted] {
        get { weighted(.accept) }
        set { set(newValue, .accept) }
    }

    /// The codings of the `Accept-Encoding` header, in order. Setting none removes the header.
    public var acceptedEncodings: [Weighted] {
        get { weighted(.acceptEncoding) }
        set { set(newValue, .acceptEncoding) }
    }

    /// The languages of the `Accept-Language` header, in order. Setting none removes the header.
    public var acceptedLanguages: [Weighted] {
        get { weighted(.acceptLanguage) }
        set { set(newValue, .acceptLanguage) }
    }

    /// The `Authorization` header; nil if it's absent or has no scheme. Setting nil removes it.
    public var authorization: Authorization? {
        get { self[.authorization].flatMap { Authorization($0) } }
        set { self[.authorization] = newValue?.value }
    }

    private func weighted(_ name: HTTPField.Name) -> [Weighted] {
        self[name].map(Weighted.list) ?? []
    }

    private mutating func set(_ list: [Weighted], _ name: HTTPField.Name) {
        let text = list.map(\.description).joined(separator: ", ")
        self[name] = text.isEmpty ? nil : text
    }
}
