public import HTTPTypes

// Values, not builders: nothing is shared between two sets of fields. As in every field, a control character becomes a
// space.
extension HTTPFields {
    /// `Content-Type` with its parameters; nil where it is absent or no media type. Setting nil removes it.
    ///
    ///     var headers = HTTPFields()
    ///     headers.mediaType = .json
    ///     headers.accepted = ["application/json", Weighted("text/*", quality: 0.5)]
    ///     print(headers[.accept] ?? "")  // application/json, text/*;q=0.5
    public var mediaType: MediaType? {
        get { self[.contentType].flatMap { MediaType($0) } }
        set { self[.contentType] = newValue?.description }
    }

    /// The media types of `Accept`, in their order. Setting none removes the field.
    public var accepted: [Weighted] {
        get { weighted(.accept) }
        set { set(newValue, .accept) }
    }

    /// The codings of `Accept-Encoding`, in their order. Setting none removes the field.
    public var acceptedEncodings: [Weighted] {
        get { weighted(.acceptEncoding) }
        set { set(newValue, .acceptEncoding) }
    }

    /// The languages of `Accept-Language`, in their order. Setting none removes the field.
    public var acceptedLanguages: [Weighted] {
        get { weighted(.acceptLanguage) }
        set { set(newValue, .acceptLanguage) }
    }

    /// `Authorization`; nil where it is absent. Setting nil removes it.
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
