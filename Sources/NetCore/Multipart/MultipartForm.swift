/// A `multipart/form-data` body (RFC 7578): parts in their order.
///
/// Names are written as browsers do (WHATWG HTML): UTF-8, with CR, LF and `"` percent-encoded, so none of them can add a
/// field. What cannot be written is an `.encoding` error when the request is prepared: an empty name, another control
/// character in a name, a content type that is none, a boundary that is none or that occurs in a
/// part in memory. Files and streams are not searched for it.
///
///     var form = MultipartForm()
///     form.append(.text("caption", "A cat"))
///     form.append(.file("photo", path: "/tmp/cat.png"))
///     let body = RequestBody.multipart(form)
public struct MultipartForm: Sendable {
    /// The parts.
    public package(set) var parts: [FormPart]
    /// What stands between the parts, 1 to 70 of the characters of RFC 2046. Default nil: a random one, which occurs in no
    /// part that is in memory.
    public var boundary: String?
    package var problem: String?

    /// Takes parts, none unless told.
    public init(_ parts: [FormPart] = [], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary
    }

    /// Adds a part.
    public mutating func append(_ part: FormPart) {
        parts.append(part)
    }
}

extension RequestBody {
    /// A multipart form.
    ///
    /// Its length is known, and sent, where that of every part is; it can be sent again where every part can. Parts in
    /// memory are joined, files and streams are read while they go out.
    ///
    /// - Parameter random: What the boundary is made of. Default the system's.
    public static func multipart(_ form: MultipartForm, random: NetRandom = .system) -> RequestBody {
        RequestBody { coding in try MultipartEncoder(form, coding: coding, random: random).resolved() }
    }

    /// A multipart form of these parts.
    public static func multipart(
        _ parts: [FormPart], boundary: String? = nil, random: NetRandom = .system
    ) -> RequestBody {
        multipart(MultipartForm(parts, boundary: boundary), random: random)
    }
}
