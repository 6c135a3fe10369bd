/// Which status codes a request takes for a success.
///
///     let options = RequestOptions(validation: .codes([200, 304]))
public struct StatusValidation: Sendable {
    private let accepts: @Sendable (Int) -> Bool

    /// Accepts what `accepts` says.
    public static func custom(_ accepts: @escaping @Sendable (Int) -> Bool) -> StatusValidation {
        StatusValidation(accepts: accepts)
    }

    /// 200 to 299: the default.
    public static let success = range(200..<300)
    /// 200 to 399.
    public static let successOrRedirect = range(200..<400)
    /// 200 to 299 and 304.
    public static let successOrNotModified = custom { (200..<300).contains($0) || $0 == 304 }
    /// 204 and 205.
    public static let noContent = codes([204, 205])
    /// Every status.
    public static let any = custom { _ in true }

    /// A range of codes.
    public static func range(_ range: Range<Int>) -> StatusValidation { custom { range.contains($0) } }
    /// A range of codes, its last one included.
    public static func range(_ range: ClosedRange<Int>) -> StatusValidation { custom { range.contains($0) } }
    /// A set of codes.
    public static func codes(_ codes: Set<Int>) -> StatusValidation { custom { codes.contains($0) } }

    /// Whether the status is a success.
    public func isAcceptable(_ status: Int) -> Bool { accepts(status) }
}
