/// The status codes that a request accepts as a success.
///
///     let options = RequestOptions(validation: .codes([200, 304]))
public struct StatusValidation: Sendable {
    private let accepts: @Sendable (Int) -> Bool

    /// Creates a validation that accepts the codes for which `accepts` returns true.
    public static func custom(_ accepts: @escaping @Sendable (Int) -> Bool) -> StatusValidation {
        StatusValidation(accepts: accepts)
    }

    /// 200 to 299. The default.
    public static let success = range(200..<300)
    /// 200 to 399.
    public static let successOrRedirect = range(200..<400)
    /// 200 to 299 and 304.
    public static let successOrNotModified = custom { (200..<300).contains($0) || $0 == 304 }
    /// 204 and 205.
    public static let noContent = codes([204, 205])
    /// Every status.
    public static let any = custom { _ in true }

    /// Creates a validation that accepts a range of codes.
    public static func range(_ range: Range<Int>) -> StatusValidation { custom { range.contains($0) } }
    /// Creates a validation that accepts a range of codes, including its last one.
    public static func range(_ range: ClosedRange<Int>) -> StatusValidation { custom { range.contains($0) } }
    /// Creates a validation that accepts a set of codes.
    public static func codes(_ codes: Set<Int>) -> StatusValidation { custom { codes.contains($0) } }

    /// Returns true if the status is a success.
    public func isAcceptable(_ status: Int) -> Bool { accepts(status) }
}
