/// A `multipart/form-data` body (RFC 7578): parts in order.
///
/// Names are written as in browsers (WHATWG HTML): UTF-8, with CR, LF and `"` percent-encoded, so a name can't add a
/// header. Preparing the request throws `.encoding` for an empty name, another control character in a name, an
/// invalid content type, and a boundary that is invalid or occurs in a part in memory. Files and streams aren't
/// searched for the boundary.
///
///     var form = MultipartForm()
///     form.append(.text("caption", "A cat"))
///     form.append(.file("photo", path: "/tmp/cat.png"))
///     let body = RequestBody.multipart(form)
public struct MultipartForm: Sendable {
    /// The parts.
    public package(set) var parts: [FormPart]
    /// The text between the parts, 1 to 70 of the characters that RFC 2046 allows. Default nil: a random boundary
    /// that doesn't occur in any part in memory.
    public var boundary: String?
    package var problem: String?

    /// Creates a form. Default: no parts.
    public init(_ parts: [FormPart] = [], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary
    }

    /// Appends a part.
    public mutating func append(_ part: FormPart) {
        parts.append(part)
    }
}

extension RequestBody {
    /// Creates a body of a multipart form.
    ///
    /// Its length is known, and sent, if the lengths of all parts are; it can be sent again if all parts can. Parts
    /// in memory are joined; files and streams are read while the body is sent.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - random: The random source of the boundary. Default: the system's.
    public static func multipart(_ form: MultipartForm, random: NetRandom = .system) -> RequestBody {
        RequestBody { coding in try MultipartEncoder(form, coding: coding, random: random).resolved() }
    }

    /// Creates a body of a multipart form with these parts.
    public static func multipart(
        _ parts: [FormPart], boundary: String? = nil, random: NetRandom = .system
    ) -> RequestBody {
        multipart(MultipartForm(parts, boundary: boundary), random: random)
    }
}
