/// A caller's decision about a finished attempt.
///
/// See ``RequestOptions/retryDecision``. The policy's number of attempts and the call's deadline limit every choice. A
/// request is repeated only if it is eligible and its body can be sent again.
public enum RetryChoice: Sendable {
    /// The policy decides, based on its statuses and error codes.
    case byPolicy
    /// The result of the attempt is the result of the call.
    case stop
    /// The request is attempted again, regardless of the status or error.
    ///
    /// - Parameters:
    ///   - after: The wait before the attempt; nil uses the wait of the backoff, or `Retry-After` if it is longer.
    ///   - with: The request for the next and all later attempts; nil repeats the same one.
    case retry(after: Duration? = nil, with: PreparedRequest? = nil)
}
